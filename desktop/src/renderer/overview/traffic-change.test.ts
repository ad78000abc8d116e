import { expect, it } from 'vitest';
import { hasManyErrors, trafficChange } from './traffic-change.ts';

const hour = (requestCount: number, errorCount = 0) => ({
  atMs: 0,
  bucket: { bucketHour: '', p95Ms: null, requestCount, errorCount },
});
const none = { atMs: 0, bucket: null };

it('compares the runs of a time with those of the time before', () => {
  expect(trafficChange([hour(60, 3), hour(60)], [hour(100, 1), none])).toBe(
    '120 runs, 2.5 % errors; 20 % more than in the period before, which had 1.0 % errors',
  );
  expect(trafficChange([hour(50)], [hour(100)])).toContain('50 % fewer than in the period before');
  expect(trafficChange([hour(1000)], [hour(1001)])).toContain('as many as in the period before');
});

it('says what there was where nothing is known of before', () => {
  expect(trafficChange([hour(1)], null)).toBe('1 run, 0 % errors');
  expect(trafficChange([none], [none])).toBe('0 runs, no errors');
});

it('calls as many errors high as the rest of the console does', () => {
  const of = (errors: number, runs: number) => hasManyErrors([hour(runs, errors), none]);
  expect([of(5, 100), of(100, 100), of(4, 100), of(0, 0)]).toEqual([true, true, false, false]);
});
