import { expect, it } from 'vitest';
import { atOnce, Slices } from './slices.ts';

const STEPS = 20;

/** Works for some milliseconds at a time, and writes down each of them. */
function* work(name: string, order: string[]): Generator<void, string> {
  for (let step = 0; step < STEPS; step++) {
    const untilMs = performance.now() + 4;
    while (performance.now() < untilMs);
    order.push(name);
    yield;
  }
  return `${name} is done`;
}

it('gives those who work side by side turns of their own, with turns for others in between', async () => {
  const order: string[] = [];
  let isOver = false;
  const tick = () => {
    order.push('|');
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const done = await Promise.all(['a', 'b', 'c'].map((name) => new Slices().run(work(name, order))));
  isOver = true;
  expect(done).toEqual(['a is done', 'b is done', 'c is done']);
  // The first slice of each is part of the turn in which it came.
  expect(order.join('').replace(/^[abc]{3}/, '')).not.toMatch(/[abc]{2}/);
  expect(order.filter((name) => name === 'c')).toHaveLength(STEPS);
});

it('does short work without waiting for a turn, and all of it at once where that is wanted', async () => {
  const order: string[] = [];
  function* short(): Generator<void, number> {
    yield;
    order.push('work');
    return 1;
  }
  const slices = new Slices();
  const immediate = new Promise<void>((resolve) => {
    setImmediate(() => {
      order.push('others');
      resolve();
    });
  });
  expect(await slices.run(short())).toBe(1);
  await immediate;
  expect(order).toEqual(['work', 'others']);
  expect(atOnce(work('d', []))).toBe('d is done');
});
