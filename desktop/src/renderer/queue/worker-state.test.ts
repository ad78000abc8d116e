import { expect, it } from 'vitest';
import { workerState } from './worker-state.ts';

const AT = '2026-11-21T10:00:00Z';

it('grows worse with silence', () => {
  const after = (ms: number) => workerState(AT, Date.parse(AT) + ms);
  expect([0, 9_999, 10_000, 29_999, 30_000].map(after)).toEqual(['healthy', 'healthy', 'degraded', 'degraded', 'down']);
  expect(workerState(null, 0)).toBe('no-data');
});
