import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Periodic } from './periodic.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): never => {
  throw new Error('no run fails here');
};

it('runs one at a time, each a pause after the end of the one before', async () => {
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  await using periodic = new Periodic(work, { everyMs: 100, firstAfterMs: 10, onError: never });
  periodic.start();
  periodic.start(); // starts nothing else
  await vi.advanceTimersByTimeAsync(9);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(99);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  ends[1]?.();
});

it('tells of a run that fails, and runs again', async () => {
  const onError = vi.fn();
  const work = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
  await using periodic = new Periodic(work, { everyMs: 100, onError });
  periodic.start();
  await vi.advanceTimersByTimeAsync(100);
  expect(onError.mock.calls).toEqual([[new Error('away')]]);
  expect(work).toHaveBeenCalledTimes(2);
});

it('asks after each run for the next pause where it varies', async () => {
  const pauses = [5, 100];
  const work = vi.fn().mockResolvedValue(undefined);
  await using periodic = new Periodic(work, { everyMs: () => pauses.shift() ?? 1000, onError: never });
  periodic.start();
  await vi.advanceTimersByTimeAsync(5);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(work).toHaveBeenCalledTimes(3);
});

it('ends after the run that is under way, which hears of it', async () => {
  const ended = vi.fn();
  const work = vi.fn(async (stop: AbortSignal) => {
    await new Promise((resolve) => stop.addEventListener('abort', resolve));
    ended();
  });
  const periodic = new Periodic(work, { everyMs: 100, onError: never });
  periodic.start();
  await vi.advanceTimersByTimeAsync(0);
  await periodic[Symbol.asyncDispose]();
  expect(ended).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
});
