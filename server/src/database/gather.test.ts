import { describe, expect, it } from 'vitest';
import { Gather } from './gather.ts';

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

describe('Gather', () => {
  it('sends a single item at once, and what arrives meanwhile together with the next', async () => {
    const { batches, run, open } = gatedRun();
    const gather = new Gather(run);
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

  it('keeps to the largest batch', async () => {
    const batches: number[][] = [];
    const gather = new Gather(
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

  it('fails every item of a failed batch and goes on with the next', async () => {
    let calls = 0;
    const gather = new Gather(async (items: number[]) => {
      if (calls++ === 0) throw new Error('lost');
      return items;
    });
    await expect(gather.add(1)).rejects.toThrow('lost');
    expect(await gather.add(2)).toBe(2);
  });
});
