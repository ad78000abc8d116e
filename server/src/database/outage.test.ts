import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { OutageError, throughOutage } from './outage.ts';

const noted = () => undefined;

function refusal(code: string): Error {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
}

const OUTAGES = [
  refusal('57P01'),
  refusal('57P03'),
  refusal('40P01'),
  refusal('08006'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Client has encountered a connection error and is not queryable'),
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
];

it.each(OUTAGES)('tries again after %s', async (outage) => {
  const work = vi.fn().mockRejectedValueOnce(outage).mockResolvedValue('done');
  expect(await throughOutage(work, noted)).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

it.each([refusal('23505'), refusal('22P02'), new TypeError('a mistake'), 'text'])(
  'does not try again after %s',
  async (mistake) => {
    const work = vi.fn().mockRejectedValue(mistake);
    await expect(throughOutage(work, noted)).rejects.toBe(mistake);
    expect(work).toHaveBeenCalledTimes(1);
  },
);

it('gives up when the database stays away, and says that it was that', async () => {
  const pauses: number[] = [];
  const [outage] = OUTAGES;
  const waited = throughOutage(
    () => Promise.reject(outage),
    (_error, pauseMs) => pauses.push(pauseMs),
    [1, 2, 3],
  );
  await expect(waited).rejects.toThrow(OutageError);
  expect(pauses).toEqual([1, 2, 3]);
});
