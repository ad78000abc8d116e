import { expect, it } from 'vitest';
import { textInTurns } from './text-in-turns.ts';

async function all(texts: readonly string[]): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of textInTurns(texts)) pieces.push(piece);
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

it('lets others have their turn while it gathers', async () => {
  const order: string[] = [];
  function* slowly(): Generator<string> {
    for (let n = 0; n < 3; n++) {
      const untilMs = performance.now() + 10;
      while (performance.now() < untilMs);
      order.push('text');
      yield 'text';
    }
  }
  setImmediate(() => order.push('another'));
  for await (const _ of textInTurns(slowly()));
  expect(order).toEqual(['text', 'another', 'text', 'text']);
});
