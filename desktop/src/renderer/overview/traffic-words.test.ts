import { expect, it } from 'vitest';
import { hasManyErrors, trafficWords } from './traffic-words.ts';

const hour = (requestCount: number, errorCount = 0) => ({
  atMs: 0,
  bucket: { bucketHour: '', p95Ms: null, requestCount, errorCount },
});
const none = { atMs: 0, bucket: null };

it('says how much there was', () => {
  expect(trafficWords([hour(60, 3), none, hour(60)])).toBe('120 runs, 2.5 % errors');
  expect(trafficWords([hour(1)])).toBe('1 run, 0 % errors');
  expect(trafficWords([none])).toBe('0 runs, no errors');
});

it('calls as many errors high as the rest of the console does', () => {
  const of = (errors: number, runs: number) => hasManyErrors([hour(runs, errors), none]);
  expect([of(5, 100), of(100, 100), of(4, 100), of(0, 0)]).toEqual([true, true, false, false]);
});
