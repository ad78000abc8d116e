import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadTurns } from './read-turns.ts';

const FOREVER = () => new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that begins, and ends when it is told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

it('lets an account read one thing after the other while others call, and nobody else wait for it', async () => {
  const reads = new ReadTurns({ hasOthers: () => true });
  const { begun, work, end } = works();
  const first = reads.run('a', FOREVER, work('a1'));
  const second = reads.run('a', FOREVER, work('a2'));
  void reads.run('b', FOREVER, work('b1'));
  void reads.run(null, FOREVER, work('nobody'));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.toSorted()).toEqual(['a1', 'b1', 'nobody']);
  end('a1');
  expect(await first).toBe('a1');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toContain('a2');
  end('a2');
  expect(await second).toBe('a2');
  expect(vi.getTimerCount()).toBe(1); // of b1, which goes on
});

it('does not let what takes long keep the others of its account waiting', async () => {
  const reads = new ReadTurns({ hasOthers: () => true });
  const { begun, work } = works();
  for (const name of ['a1', 'a2', 'a3']) void reads.run('a', FOREVER, work(name));
  await vi.advanceTimersByTimeAsync(99);
  expect(begun).toEqual(['a1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['a1', 'a2']);
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

it('lets an account that is alone read as much as it likes, and hands errors on', async () => {
  const reads = new ReadTurns({ hasOthers: () => false });
  const { begun, work } = works();
  for (const name of ['a1', 'a2', 'a3']) void reads.run('a', FOREVER, work(name));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await expect(reads.run('a', FOREVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('refuses an account that asks for more than may wait, and nobody else', async () => {
  const reads = new ReadTurns({ hasOthers: () => true });
  const { begun, work } = works();
  for (let n = 0; n < 1001; n++) reads.run('a', FOREVER, work('a')).catch(() => undefined);
  await expect(reads.run('a', FOREVER, work('a'))).rejects.toMatchObject({ code: 'rate_limited' });
  void reads.run('b', FOREVER, work('b1'));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toContain('b1');
});

it('takes out of the line who has hung up', async () => {
  const reads = new ReadTurns({ hasOthers: () => true });
  const { begun, work, end } = works();
  const gone = new AbortController();
  void reads.run('a', FOREVER, work('a1'));
  const left = reads.run('a', () => gone.signal, work('a2'));
  void reads.run('a', FOREVER, work('a3'));
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end('a1');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a1', 'a3']);
});
