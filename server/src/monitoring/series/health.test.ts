import { expect, it } from 'vitest';
import { judgeHealth } from './health.ts';

const QUIET = { recentCalls: 0, recentFaults: 0 };
const WELL = { failures: 0, detail: null };
const wrong = (failures: number) => ({ failures, detail: 'no answer in time' });
const calls = (recentCalls: number, recentFaults: number) => ({ recentCalls, recentFaults });

it('is unknown without a probe and without traffic that tells something', () => {
  expect(judgeHealth(null, QUIET)).toEqual({ status: 'unknown', detail: null });
  expect(judgeHealth(null, calls(9, 9)).status).toBe('unknown');
});

it('is healthy after a good probe, or by good traffic alone', () => {
  expect(judgeHealth(WELL, QUIET)).toEqual({ status: 'healthy', detail: null });
  expect(judgeHealth(null, calls(10, 1)).status).toBe('healthy');
});

it('is degraded by one failed probe, or by more than a tenth of failed calls', () => {
  expect(judgeHealth(wrong(1), QUIET)).toEqual({ status: 'degraded', detail: 'no answer in time' });
  expect(judgeHealth(WELL, calls(20, 3))).toEqual({
    status: 'degraded',
    detail: '3 of the latest 20 calls failed',
  });
});

it('is unhealthy by two failed probes in a row, or when half of the calls failed', () => {
  expect(judgeHealth(wrong(2), calls(100, 0))).toEqual({ status: 'unhealthy', detail: 'no answer in time' });
  expect(judgeHealth(WELL, calls(10, 5))).toEqual({ status: 'unhealthy', detail: '5 of the latest 10 calls failed' });
});
