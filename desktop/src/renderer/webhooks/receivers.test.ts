import { expect, it } from 'vitest';
import { chunks, receiversOf } from './receivers.ts';

it('counts what each receiver has not taken, the worst first', () => {
  const failed = ['b.example', 'a.example', 'c.example', 'c.example'].map((receiver) => ({ receiver }));
  expect(receiversOf(failed)).toEqual([
    ['c.example', 2],
    ['a.example', 1],
    ['b.example', 1],
  ]);
});

it('divides a list into parts, with nothing lost', () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([], 2)).toEqual([]);
});
