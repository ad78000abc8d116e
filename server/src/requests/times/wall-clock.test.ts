import { expect, it } from 'vitest';
import { WallClock } from './wall-clock.ts';

/** A clock whose work ends when the test says so. */
function bench() {
  let nowMs = 0;
  const clock = new WallClock(() => nowMs);
  return {
    clock,
    pass: (ms: number) => {
      nowMs += ms;
    },
    begin: (activity: 'engine' | 'render' | 'place') => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = clock.during(activity, () => promise);
      return async () => {
        resolve();
        await done;
      };
    },
  };
}

it('counts what runs side by side once', async () => {
  const { clock, pass, begin } = bench();
  const pages = [begin('engine'), begin('engine'), begin('engine')];
  pass(1000);
  for (const end of pages) await end();
  expect(clock.times).toEqual({ engineMs: 1000, renderMs: 0, placeMs: 0 });
});

it('counts a moment for the engine before pictures, and for pictures before waiting', async () => {
  const { clock, pass, begin } = bench();
  const waiting = begin('place');
  pass(100);
  const drawing = begin('render');
  pass(200);
  const reading = begin('engine');
  pass(300);
  await reading();
  pass(20);
  await drawing();
  pass(10);
  await waiting();
  pass(5000);
  expect(clock.times).toEqual({ engineMs: 300, renderMs: 220, placeMs: 110 });
});

it('counts work that failed, and what still runs', async () => {
  let nowMs = 0;
  const clock = new WallClock(() => nowMs);
  const failing = clock.during('engine', () => Promise.reject(new Error('down')));
  nowMs = 70;
  await expect(failing).rejects.toThrow('down');
  void clock.during('render', () => new Promise(() => undefined));
  nowMs = 100;
  expect(clock.times).toEqual({ engineMs: 70, renderMs: 30, placeMs: 0 });
});
