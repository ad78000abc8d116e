import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { atOnce, Slices } from './slices.ts';
import { beginCall } from './young-calls.ts';

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

/** A clock that steps of work alone move, and whether anybody else is seen at work. */
function controlled() {
  // Later than whatever work before it has left behind.
  let nowMs = performance.now() + 1000;
  const seen = { others: false };
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const utilization = () => ({ idle: 0, active: seen.others ? 1 : 0, utilization: 0 });
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(utilization);
  onTestFinished(() => void vi.restoreAllMocks());
  function* steps(onStep: (step: number) => void): Generator<void> {
    for (let step = 0; step < STEPS; step++) {
      nowMs += 4;
      onStep(step);
      yield;
    }
  }
  return { seen, steps };
}

it('needs a timer now and then alone while nobody else has anything to do', async () => {
  const { steps } = controlled();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await new Slices().run(steps(() => undefined));
  expect(timers.mock.calls.length).toBeGreaterThan(0);
  expect(timers.mock.calls.length).toBeLessThanOrEqual(STEPS / 4);
});

it('waits for a call that comes while there were none, whatever that waits for', async () => {
  const { seen, steps } = controlled();
  const order: string[] = [];
  const call = async () => {
    seen.others = true;
    order.push('call');
    for (let part = 0; part < 3; part++) await sleep(2);
    order.push('end');
    seen.others = false;
  };
  await new Slices().run(
    steps((step) => {
      order.push(`${step}`);
      if (step === 10) setImmediate(() => void call());
    }),
  );
  expect(order.slice(10, 14)).toEqual(['10', 'call', 'end', '11']);
});

it('lets a call end first that began a moment ago, though nothing is done for it just then', async () => {
  const { steps } = controlled();
  const order: string[] = [];
  let end = () => {};
  const watched = new Slices().run(
    steps((step) => {
      order.push(`${step}`);
      if (step !== 10) return;
      end = beginCall();
      // What it waits for takes longer than a look, and the loop has nothing else to do.
      void sleep(5).then(() => {
        order.push('answered');
        end();
      });
    }),
  );
  await watched;
  expect(order.slice(10, 13)).toEqual(['10', 'answered', '11']);
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
