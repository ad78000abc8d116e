import { expect, it } from 'vitest';
import { drainEstimateMs } from './drain-estimate.ts';

it('takes the rate at which requests ended', () => {
  expect(drainEstimateMs({ queued: 30, ended: 600, sinceMs: 0, nowMs: 600_000 })).toBe(30_000);
});

it('knows that an empty queue is drained', () => {
  expect(drainEstimateMs({ queued: 0, ended: 0, sinceMs: 0, nowMs: 0 })).toBe(0);
});

it('guesses nothing where nothing ended', () => {
  expect(drainEstimateMs({ queued: 5, ended: 0, sinceMs: 0, nowMs: 600_000 })).toBeNull();
  expect(drainEstimateMs({ queued: 5, ended: 3, sinceMs: 1000, nowMs: 1000 })).toBeNull();
});
