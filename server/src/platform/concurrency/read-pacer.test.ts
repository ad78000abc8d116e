import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadPacer } from './read-pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source that says when it was read on. */
function makeSource() {
  const resumedMs: number[] = [];
  const source = {
    isPaused: false,
    pause: () => {
      source.isPaused = true;
    },
    resume: () => {
      source.isPaused = false;
      resumedMs.push(performance.now());
    },
  };
  return { source, resumedMs };
}

const pacer = () => new ReadPacer({ burst: 1000, perSecond: 100 });

it('reads on without a pause within the burst', () => {
  const { source } = makeSource();
  pacer().count(source, 'a', 1000);
  expect(source.isPaused).toBe(false);
});

it('reads on once after messages that came in one piece, when the last of them is within the rate', async () => {
  const { source, resumedMs } = makeSource();
  const paced = pacer();
  const begunMs = performance.now();
  paced.count(source, 'a', 1000);
  for (let message = 0; message < 20; message++) paced.count(source, 'a', 10);
  await vi.advanceTimersByTimeAsync(1999);
  expect(source.isPaused).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(resumedMs).toEqual([begunMs + 2000]);
});

it('counts all sources of a party together, and no others', () => {
  const [first, second, foreign] = [makeSource(), makeSource(), makeSource()];
  const paced = pacer();
  paced.count(first.source, 'a', 1000);
  paced.count(second.source, 'a', 1);
  paced.count(foreign.source, 'b', 1);
  expect([first, second, foreign].map(({ source }) => source.isPaused)).toEqual([false, true, false]);
});
