import { expect, it } from 'vitest';
import { WordBudget } from './word-budget.ts';

it('gives readers that begin together equal shares', () => {
  const words = new WordBudget(90, 3);
  expect([words.take(), words.take(), words.take()]).toEqual([30, 30, 30]);
});

it('gives no more than there is, however long one takes while another goes on', () => {
  const words = new WordBudget(500, 2);
  const slow = words.take();
  let placed = 0;
  for (let part = 0; part < 10; part++) {
    const share = words.take();
    placed += share;
    words.used(share, share);
  }
  expect(slow + placed).toBeLessThanOrEqual(500);
  expect(placed).toBe(250);
});

it('gives to others what one had no need of', () => {
  const words = new WordBudget(500, 2);
  const [first] = [words.take(), words.take()];
  words.used(10, first);
  expect(words.take()).toBe(240);
});
