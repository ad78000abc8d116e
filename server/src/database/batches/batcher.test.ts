import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Waits } from '../waits.ts';
import { Batcher } from './batcher.ts';

function gatedRun() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const run = async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 10);
  };
  return { batches, run, open: () => gates.shift()?.() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('sends a single item at once, and what arrives meanwhile together with the next', async () => {
    const { batches, run, open } = gatedRun();
    const gather = new Batcher(run);
    const first = gather.add(1);
    await turn();
    const rest = [gather.add(2), gather.add(3)];
    open();
    expect(await first).toBe(10);
    await turn();
    open();
    expect(await Promise.all(rest)).toEqual([20, 30]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('takes one item after a pause, where it starts small, and then twice as many each time', async () => {
    const { batches, run, open } = gatedRun();
    const gather = new Batcher(run, { startsSmall: true });
    const send = async (items: number[], times: number) => {
      const all = Promise.all(items.map((item) => gather.add(item)));
      for (let sent = 0; sent < times; sent++) {
        await turn();
        open();
      }
      await all;
      return batches.splice(0).map(({ length }) => length);
    };
    expect(await send([1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([1, 2, 4, 2]);
    expect(await send([1, 2, 3], 2)).toEqual([1, 2]);
  });

  it('goes on with large batches, where it starts small, while there is no pause', async () => {
    const { batches, run, open } = gatedRun();
    const gather = new Batcher(run, { startsSmall: true });
    const first = [1, 2, 3].map((n) => gather.add(n));
    await turn();
    open();
    await turn();
    const more = [4, 5, 6, 7].map((n) => gather.add(n));
    for (let sent = 0; sent < 2; sent++) {
      await turn();
      open();
    }
    await Promise.all([...first, ...more]);
    expect(batches).toEqual([[1], [2, 3], [4, 5, 6, 7]]);
  });

  it('keeps to the largest batch', async () => {
    const batches: number[][] = [];
    const gather = new Batcher(
      async (items: number[]) => {
        batches.push(items);
        return items;
      },
      { maxItems: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5].map((n) => gather.add(n)));
    expect(batches.every((batch) => batch.length <= 2)).toBe(true);
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps to the heaviest batch; what is heavier by itself goes alone', async () => {
    const { batches, run, open } = gatedRun();
    const gather = new Batcher(run, { maxItems: 3, weight: { of: (item) => item, max: 10 } });
    const all = [4, 6, 1, 30, 9, 2, 1, 1, 1].map((weight) => gather.add(weight));
    for (let sent = 0; sent < 6; sent++) {
      await turn();
      open();
    }
    expect(await Promise.all(all)).toEqual([40, 60, 10, 300, 90, 20, 10, 10, 10]);
    expect(batches).toEqual([[4, 6], [1], [30], [9], [2, 1, 1], [1]]);
  });

  it('divides a batch until what makes it fail stands alone: only that is rejected', async () => {
    const batches: number[][] = [];
    const gather = new Batcher(async (items: number[]) => {
      batches.push(items);
      if (items.includes(5)) throw refusal('22P05');
      return items.map((item) => item * 10);
    });
    const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((n) => gather.add(n)));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code))).toEqual([
      10,
      20,
      30,
      40,
      '22P05',
      60,
      70,
      80,
    ]);
    expect(batches).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8]]);
  });

  it('rejects one item alone for what is found out about it after the commit', async () => {
    let runs = 0;
    const gather = new Batcher(async (items: number[]) => {
      runs++;
      return items.map(async (item) => {
        if (item === 2) throw new Error('no wallet');
        return item;
      });
    });
    const answers = await Promise.allSettled([1, 2, 3].map((n) => gather.add(n)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toBe(1);
  });

  it.each([refusal('57P01'), new Error('Query read timeout')])(
    'fails every item in an outage (%s), does not divide, and goes on with the next',
    async (outage) => {
      let runs = 0;
      const gather = new Batcher(async (items: number[]) => {
        if (runs++ === 0) throw outage;
        return items;
      });
      const answers = await Promise.allSettled([1, 2].map((n) => gather.add(n)));
      expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(runs).toBe(1);
      expect(await gather.add(3)).toBe(3);
    },
  );

  it('divides what waits for a lock too long, but not for ever', async () => {
    const sizes: number[] = [];
    const gather = new Batcher(async (items: number[]) => {
      sizes.push(items.length);
      throw refusal('55P03');
    });
    const numbers = Array.from({ length: 64 }, (_, i) => i);
    const answers = await Promise.allSettled(numbers.map((n) => gather.add(n)));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sizes.length).toBeLessThanOrEqual(14);
  });

  it('says since when its oldest item waits', async () => {
    const waits = new Waits();
    const gates: (() => void)[] = [];
    const gather = new Batcher(
      async (items: number[]) => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return items;
      },
      { waits },
    );
    expect(waits.oldestMs()).toBe(0);
    const first = gather.add(1);
    await turn();
    expect(waits.oldestMs()).toBeGreaterThan(0);
    gates.shift()?.();
    await first;
    expect(waits.oldestMs()).toBe(0);
  });
});

function refusal(code: string): Error & { code: string } {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
}
