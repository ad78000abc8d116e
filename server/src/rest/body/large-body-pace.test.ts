import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LargeBodyPace } from './large-body-pace.ts';

const MB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Megabytes that a party gets in within so many seconds, in bodies of eight, as soon as each may come. */
function taken(hasOthers: boolean, seconds: number): number {
  const pace = new LargeBodyPace({ hasOthers: () => hasOthers });
  let megabytes = 0;
  const next = () => {
    while (megabytes < 1000 && pace.admits('a', next)) {
      pace.count('a', 8 * MB);
      megabytes += 8;
    }
  };
  next();
  vi.advanceTimersByTime(seconds * 1000);
  return megabytes;
}

it('lets a party that is alone in as it comes', () => {
  expect(taken(false, 0)).toBe(1000);
});

it('lets a party in at a rate while others call', () => {
  expect(taken(true, 0)).toBe(24);
  expect(taken(true, 10)).toBe(224);
});

it('makes no other party wait, and wakes each once', () => {
  const pace = new LargeBodyPace({ hasOthers: () => true });
  const woken: string[] = [];
  pace.count('a', 36 * MB);
  for (let again = 0; again < 3; again++) expect(pace.admits('a', () => woken.push('a'))).toBe(false);
  expect(pace.admits('b', () => woken.push('b'))).toBe(true);
  vi.advanceTimersByTime(2000);
  expect(woken).toEqual(['a']);
});
