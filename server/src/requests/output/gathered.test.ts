import { expect, it } from 'vitest';
import { gathered } from './gathered.ts';

async function all(texts: readonly string[]): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of gathered(texts)) pieces.push(piece);
  return pieces;
}

it('keeps every text, in order, in few pieces', async () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `${index};`);
  const pieces = await all(texts);
  expect(pieces.join('')).toBe(texts.join(''));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.length).toBeLessThan(10);
  expect(await all([])).toEqual([]);
});

it('lets others have their turn between two pieces', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  for await (const _ of gathered(Array.from({ length: 3 }, () => 'x'.repeat(100_000)))) order.push('piece');
  expect(order).toEqual(['piece', 'another', 'piece', 'piece']);
});
