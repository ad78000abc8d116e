import { expect, it } from 'vitest';
import { LaneBatcher, newLanes } from './lane-batcher.ts';

const MB = 1024 * 1024;

it('light items wait for no heavy one, in their statement or before it', async () => {
  const batches: number[][] = [];
  const heavy = Promise.withResolvers<void>();
  const batcher = new LaneBatcher<number, string>(
    async (items) => {
      batches.push(items);
      if (items.some((bytes) => bytes >= MB)) await heavy.promise;
      return items.map((bytes) => `wrote ${bytes}`);
    },
    { lanes: newLanes(), weight: { of: (bytes) => bytes, max: 16 * MB } },
  );
  const slow = [batcher.add(5 * MB), batcher.add(MB)];
  expect(await Promise.all([batcher.add(10), batcher.add(20)])).toEqual(['wrote 10', 'wrote 20']);
  expect(await batcher.add(30)).toBe('wrote 30');
  heavy.resolve();
  expect(await Promise.all(slow)).toEqual([`wrote ${5 * MB}`, `wrote ${MB}`]);
  expect(batches.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([[10, 20], [30], [5 * MB, MB]]);
});
