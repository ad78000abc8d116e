import { expect, it } from 'vitest';
import { latencyOfStep, percentile } from './latency-scale.ts';

it('has no percentile without data', () => {
  expect(percentile([], 0.5)).toBeNull();
});

it('interpolates between neighbours as PostgreSQL’s percentile_cont', () => {
  const tenTwentyForty = [
    [10, 1],
    [20, 1],
    [40, 2],
  ] as const;
  expect(percentile(tenTwentyForty, 0)).toBe(10);
  expect(percentile(tenTwentyForty, 0.5)).toBe(30);
  expect(percentile(tenTwentyForty, 0.25)).toBe(17.5);
  expect(percentile(tenTwentyForty, 1)).toBe(40);
});

it('tells every latency within 1 %, and short ones exactly', () => {
  expect(latencyOfStep(0)).toBe(0);
  expect(latencyOfStep(99)).toBe(99);
  for (let step = 100; step < 900; step++) {
    const from = 100 * 1.02 ** (step - 100);
    expect(Math.abs(latencyOfStep(step) / from - 1)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(latencyOfStep(step) / (from * 1.02) - 1)).toBeLessThanOrEqual(0.01);
  }
});
