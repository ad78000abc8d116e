import { expect, it } from 'vitest';
import { sideBySide } from './side-by-side.ts';

it('begins nothing more after an error, and lets what runs end', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await new Promise((resolve) => setTimeout(resolve, item));
    if (item === 2) throw new Error('the run cannot go on');
    ended.push(item);
  };
  await expect(sideBySide([10, 2, 3, 4, 5], 2, work)).rejects.toThrow('the run cannot go on');
  expect([begun, ended]).toEqual([[10, 2], [10]]);
});

it('works on so many items at a time, until it is over', async () => {
  let [now, most, begun] = [0, 0, 0];
  const work = async () => {
    begun++;
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
  };
  await sideBySide([1, 2, 3, 4, 5, 6], 2, work, () => begun >= 4);
  expect([most, begun]).toEqual([2, 4]);
});
