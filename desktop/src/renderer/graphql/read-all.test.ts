import { expect, it } from 'vitest';
import { RateLimited, readAll } from './read-all.ts';

const ROWS = Array.from({ length: 25 }, (_, number) => number);

async function tenAfter(after: string | null) {
  const from = Number(after ?? 0);
  return { rows: ROWS.slice(from, from + 10), next: from + 10 < ROWS.length ? String(from + 10) : null };
}

it.each([
  ['all there are', 100, 25, false],
  ['exactly as many as there are', 25, 25, false],
  ['no more than it may', 20, 20, true],
  ['no more than it may, within a page', 24, 24, true],
])('reads %s', async (_, most, count, isCut) => {
  const seen: number[] = [];
  const { signal } = new AbortController();
  const read = await readAll(tenAfter, { most, signal, onRead: (rows) => seen.push(rows) });
  expect(read).toEqual({ rows: ROWS.slice(0, count), isCut });
  expect(seen.slice(0, 2)).toEqual([10, 20]);
});

it('ends where it is stopped, and reads nothing further', async () => {
  const stop = new AbortController();
  const asked: (string | null)[] = [];
  const read = await readAll(
    (after) => {
      asked.push(after);
      return tenAfter(after);
    },
    { most: 100, signal: stop.signal, onRead: () => stop.abort() },
  );
  expect(read).toBeNull();
  expect(asked).toEqual([null]);
});

it('ends with a page that leads to itself', async () => {
  const { signal } = new AbortController();
  const read = await readAll(async () => ({ rows: ['a'], next: 'x' }), { most: 100, signal, onRead: () => {} });
  expect(read?.rows).toEqual(['a', 'a']);
});

it('asks again for a page that the rate limit refused, until it is stopped', async () => {
  const stop = new AbortController();
  let refusals = 2;
  const busy = async (after: string | null) => {
    refusals -= 1;
    if (refusals >= 0) throw new RateLimited('too many');
    return tenAfter(after);
  };
  const reading = { most: 100, signal: stop.signal, onRead: () => {}, pause: async () => {} };
  expect((await readAll(busy, reading))?.rows).toEqual(ROWS);
  refusals = Number.POSITIVE_INFINITY;
  await expect(readAll(busy, reading)).rejects.toThrow('too many');
  expect(await readAll(busy, { ...reading, pause: async () => stop.abort() })).toBeNull();
});

it('fails with the page that fails', async () => {
  const { signal } = new AbortController();
  const failing = () => Promise.reject(new Error('out of order'));
  await expect(readAll(failing, { most: 1, signal, onRead: () => {} })).rejects.toThrow('out of order');
});
