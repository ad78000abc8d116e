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
  const state = { cpuMs: 500, heldBytes: 200 * MB, collections: 0, taken: [] as string[] };
  const memory = new IdleMemory({
    lookMs: LOOK_MS,
    cpuMs: () => state.cpuMs,
    heldBytes: () => state.heldBytes,
    collect: (what) => {
      state.collections += 1;
      state.taken.push(what);
      state.heldBytes -= givenBackMb * MB;
      state.cpuMs += 100;
    },
  });
  memory.start();
  return { state, memory };
}

/** The process holds so much, and works a little: how often its memory has been collected after one more look. */
function lookAt(state: ReturnType<typeof watched>['state'], heldMb: number): number {
  state.cpuMs += 0.2 * LOOK_MS;
  state.heldBytes = heldMb * MB;
  vi.advanceTimersByTime(LOOK_MS);
  return state.collections;
}

it('gives back everything once, when the process has had nothing to do for two looks', () => {
  const { state, memory } = watched();
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.taken).toEqual([]);
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.taken).toEqual(['everything']);
  vi.advanceTimersByTime(5 * LOOK_MS);
  expect(state.taken).toEqual(['everything']);
  memory[Symbol.dispose]();
});

it('takes a pause between two bursts for no end of work', () => {
  const { state, memory } = watched();
  for (let look = 0; look < 20; look++) {
    if (look % 2 === 0) state.cpuMs += 0.5 * LOOK_MS;
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(state.taken).toEqual([]);
  memory[Symbol.dispose]();
});

it('waits while the process works, and gives back afterwards what the work left', () => {
  const { state, memory } = watched();
  for (let look = 0; look < 3; look++) {
    state.cpuMs += 0.5 * LOOK_MS;
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(state.taken).toEqual([]);
  vi.advanceTimersByTime(2 * LOOK_MS);
  expect(state.taken).toEqual(['everything']);
  memory[Symbol.dispose]();
});

it('keeps what the process has learnt, for the little that an idle one gathers', () => {
  const { state, memory } = watched({ givenBackMb: 15 });
  vi.advanceTimersByTime(2 * LOOK_MS);
  state.heldBytes += 20 * MB;
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.taken).toEqual(['everything', 'garbage']);
  state.heldBytes += 40 * MB;
  vi.advanceTimersByTime(LOOK_MS);
  expect(state.taken).toEqual(['everything', 'garbage', 'everything']);
  memory[Symbol.dispose]();
});

it('leaves a process alone whose work comes and goes, whatever ordinary load takes', () => {
  const { state, memory } = watched();
  for (let look = 0; look < 40; look++) {
    state.cpuMs += (look % 2 === 0 ? 0.35 : 0.08) * LOOK_MS;
    state.heldBytes = (look % 2 === 0 ? 255 : 240) * MB;
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(state.taken).toEqual([]);
  memory[Symbol.dispose]();
});

it('gives back what a burst left while little is asked, after a while, and not what ordinary work leaves', () => {
  const { state, memory } = watched();
  vi.advanceTimersByTime(2 * LOOK_MS);
  expect(state.taken).toEqual(['everything']);
  for (const [grownMb, collections] of [
    [60, 1],
    [60, 1],
    [0, 2],
    [0, 2],
    [0, 2],
  ] as const) {
    state.cpuMs += 0.2 * LOOK_MS;
    state.heldBytes += grownMb * MB;
    vi.advanceTimersByTime(LOOK_MS);
    expect(state.collections).toBe(collections);
  }
  expect(state.taken).toEqual(['everything', 'garbage']);
  memory[Symbol.dispose]();
});

it('does not collect again and again what steady work takes again, and still what a burst leaves on top of it', () => {
  const { state, memory } = watched({ givenBackMb: 400 });
  const look = (heldMb: number) => lookAt(state, heldMb);
  look(800);
  expect(Array.from({ length: 20 }, () => look(800))).toEqual([
    ...[1, 1, 2, 2, 3, 3, 4, 4, 5],
    ...[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
  ]);
  expect(Array.from({ length: 2 }, () => look(1300))).toEqual([5, 6]);
  expect(look(800)).toBe(6);
  memory[Symbol.dispose]();
});

it('collects of light work once in forty looks, however long the work takes to fill it again', () => {
  const { state, memory } = watched();
  const collections = Array.from({ length: 400 }, (_, index) => lookAt(state, index % 5 < 3 ? 230 : 280));
  expect(collections[39]).toBe(5);
  expect(collections.at(-1)).toBeLessThanOrEqual(5 + 400 / 40);
  expect(collections.at(-1)).toBeGreaterThan(5 + 400 / 40 - 3);
  memory[Symbol.dispose]();
});

it('allows as many collections after a higher burst as after the first one, and the next in forty looks', () => {
  const { state, memory } = watched({ givenBackMb: 400 });
  for (let index = 0; index < 25; index++) lookAt(state, 800);
  expect(state.collections).toBe(5);
  for (let index = 0; index < 30; index++) lookAt(state, 1300);
  expect(state.collections).toBe(10);
  memory[Symbol.dispose]();
});

it('forgets how high a burst was, and gives back at once what another one leaves an hour later', () => {
  const { state, memory } = watched({ givenBackMb: 400 });
  const look = (heldMb: number) => lookAt(state, heldMb);
  for (let index = 0; index < 20; index++) look(800);
  for (let index = 0; index < 5 * 40; index++) look(210);
  expect(state.collections).toBe(5);
  expect(Array.from({ length: 6 }, () => look(700))).toEqual([5, 6, 6, 7, 7, 8]);
  memory[Symbol.dispose]();
});

it('takes for no burst what ordinary work takes of what an idle process gave back', () => {
  const { state, memory } = watched({ givenBackMb: 80 });
  vi.advanceTimersByTime(2 * LOOK_MS);
  expect(state.taken).toEqual(['everything']);
  for (let look = 0; look < 10; look++) lookAt(state, 250);
  expect(state.taken).toEqual(['everything']);
  memory[Symbol.dispose]();
});

it('gives back what a burst has left also when a collection within it could not', () => {
  const { state, memory } = watched({ givenBackMb: 0 });
  const look = (heldMb: number) => lookAt(state, heldMb);
  expect([400, 400].map(look)).toEqual([0, 1]);
  expect([360, 360].map(look)).toEqual([1, 2]);
  memory[Symbol.dispose]();
});

it('gives back at once what more work has left that has come to its end', () => {
  const { state, memory } = watched({ givenBackMb: 400 });
  const look = (busyShare: number) => {
    state.cpuMs += busyShare * LOOK_MS;
    state.heldBytes = 800 * MB;
    vi.advanceTimersByTime(LOOK_MS);
    return state.collections;
  };
  expect([0.3, 0.3, 0.08].map(look)).toEqual([0, 1, 2]);
  expect([0.9, 0.5, 0.45, 0.2].map(look)).toEqual([2, 2, 2, 3]); // a busy one needs its time for others
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
