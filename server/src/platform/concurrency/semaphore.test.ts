import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Tasks that have started, and what ends each of them. */
function tasks() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const task = (n: number) => () => {
    started.push(n);
    return new Promise<void>((resolve) => {
      ends[n] = resolve;
    });
  };
  const end = async (n: number) => {
    ends[n]?.();
    await sleep(0);
  };
  return { started, task, end };
}

/** However long tasks usually take. */
const PATIENCE = { times: 1, leastMs: 20, mostMs: 20, most: 2 };

describe('Semaphore', () => {
  it('lets as many in as it is wide, in their order', async () => {
    const semaphore = new Semaphore(2);
    const { started, task, end } = tasks();
    for (const n of [0, 1, 2, 3]) semaphore.enter(task(n));
    expect(started).toEqual([0, 1]);
    await end(1);
    expect(started).toEqual([0, 1, 2]);
    await end(0);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('lets the next pass by one that takes too long, and no more of them than it may', async () => {
    const semaphore = new Semaphore(1, PATIENCE);
    const { started, task, end } = tasks();
    for (const n of [0, 1, 2, 3, 4]) semaphore.enter(task(n));
    expect(started).toEqual([0]);
    while (started.length < 3) await sleep(5);
    await sleep(60);
    expect(started).toEqual([0, 1, 2]); // two stand aside, and the third has the place
    await end(0);
    while (started.length < 4) await sleep(5); // one may stand aside again, and 2 has taken too long already
    await sleep(60);
    expect(started).toEqual([0, 1, 2, 3]);
    for (const n of [1, 2, 3]) await end(n);
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('waits less for a task where tasks are usually quick', async () => {
    const semaphore = new Semaphore(1, { times: 20, leastMs: 10, mostMs: 600_000, most: 1 });
    const { started, task, end } = tasks();
    for (const n of [0, 1]) semaphore.enter(task(n));
    await sleep(60);
    expect(started).toEqual([0]); // nothing is known of what is usual
    for (const n of [0, 1]) await end(n);
    for (let quick = 0; quick < 400; quick++) semaphore.enter(() => Promise.resolve());
    for (const n of [2, 3]) semaphore.enter(task(n));
    while (started.length < 4) await sleep(5);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('is as wide as before once they have ended', async () => {
    const semaphore = new Semaphore(1, PATIENCE);
    const { started, task, end } = tasks();
    for (const n of [0, 1]) semaphore.enter(task(n));
    while (started.length < 2) await sleep(5);
    await end(0);
    await end(1);
    for (const n of [2, 3]) semaphore.enter(task(n));
    expect(started).toEqual([0, 1, 2]);
    await end(2);
    expect(started).toEqual([0, 1, 2, 3]);
  });
});
