import { expect, it } from 'vitest';
import { SingleFlight } from './single-flight.ts';

it('asks once for all who ask at the same time, and again for the next', async () => {
  const flights = new SingleFlight<number>();
  let asked = 0;
  const ask = async () => ++asked;
  expect(await Promise.all([flights.run('a', ask), flights.run('a', ask), flights.run('b', ask)])).toEqual([1, 1, 2]);
  expect(await flights.run('a', ask)).toBe(3);
});

it('fails for all who asked, and not for the next', async () => {
  const flights = new SingleFlight<number>();
  const failing = () => Promise.reject(new Error('away'));
  const both = await Promise.allSettled([flights.run('a', failing), flights.run('a', failing)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flights.run('a', async () => 1)).toBe(1);
});
