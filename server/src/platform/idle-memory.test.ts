import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

const MB = 1024 * 1024;
const LOOK_MS = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process whose processor time and memory a test sets. */
function watched({ givenBackMb = 50 } = {}) {
  const state = { cpuMs: 500, heldBytes: 200 * MB, collections: 0 };
  const memory = new IdleMemory({
    lookMs: LOOK_MS,
    cpuMs: () => state.cpuMs,
    heldBytes: () => state.heldBytes,
    collect: () => {
      state.collections += 1;
      state.heldBytes -= givenBackMb * MB;
      state.cpuMs += 100;
    },
  });
  memory.start();
  return { state, memory };
}

it('gives back once what is not needed, when the process has nothing to do', () => {
  const { state, memory } = watched();
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.collections).toBe(1);
  vi.advanceTimersByTime(5 * LOOK_MS);
  expect(state.collections).toBe(1);
  memory[Symbol.dispose]();
});

it('waits while the process works, and gives back afterwards what the work left', () => {
  const { state, memory } = watched();
  for (let look = 0; look < 3; look++) {
    state.cpuMs += 0.5 * LOOK_MS;
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(state.collections).toBe(0);
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.collections).toBe(1);
  state.heldBytes += 20 * MB;
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.collections).toBe(2);
  memory[Symbol.dispose]();
});

it('gives back what a burst left while little is asked, and not what little work leaves', () => {
  const { state, memory } = watched();
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.collections).toBe(1);
  for (const [grownMb, collections] of [
    [20, 1],
    [20, 2],
    [0, 2],
  ] as const) {
    state.cpuMs += 0.2 * LOOK_MS;
    state.heldBytes += grownMb * MB;
    vi.advanceTimersByTime(LOOK_MS);
    expect(state.collections).toBe(collections);
  }
  memory[Symbol.dispose]();
});

it('does not collect again and again what steady work takes again, and still what a burst leaves on top of it', () => {
  const { state, memory } = watched({ givenBackMb: 100 });
  const look = (heldMb: number) => {
    state.cpuMs += 0.2 * LOOK_MS;
    state.heldBytes = heldMb * MB;
    vi.advanceTimersByTime(LOOK_MS);
    return state.collections;
  };
  look(200);
  expect(Array.from({ length: 10 }, () => look(200))).toEqual([1, 2, 2, 2, 2, 3, 3, 3, 3, 3]);
  expect(look(270)).toBe(4);
  expect(look(200)).toBe(4);
  memory[Symbol.dispose]();
});

it('gives back at once what more work has left that has come to its end', () => {
  const { state, memory } = watched({ givenBackMb: 100 });
  const look = (busyShare: number) => {
    state.cpuMs += busyShare * LOOK_MS;
    state.heldBytes = 200 * MB;
    vi.advanceTimersByTime(LOOK_MS);
    return state.collections;
  };
  expect(Array.from({ length: 7 }, () => look(0.3))).toEqual([1, 1, 2, 2, 2, 2, 3]); // seven looks to pass by now
  expect(look(0.2)).toBe(3);
  expect(look(0.08)).toBe(4);
  memory[Symbol.dispose]();
});

it('does nothing after its end', () => {
  const { state, memory } = watched();
  memory[Symbol.dispose]();
  vi.advanceTimersByTime(3 * LOOK_MS);
  expect(state.collections).toBe(0);
});

it('really gives memory back', async () => {
  vi.useRealTimers();
  let kept: object[] | null = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `object ${n}` }));
  const full = process.memoryUsage().heapUsed;
  expect(kept.length).toBe(400_000);
  kept = null;
  const memory = new IdleMemory({ lookMs: 20, cpuMs: () => 0 });
  memory.start();
  await vi.waitFor(() => expect(process.memoryUsage().heapUsed).toBeLessThan(full - 10 * MB), { timeout: 20_000 });
  memory[Symbol.dispose]();
});
