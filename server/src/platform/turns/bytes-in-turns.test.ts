import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bytesInTurns, wholeInTurns } from './bytes-in-turns.ts';

async function all(parts: Iterable<string | Uint8Array>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of bytesInTurns(parts)) pieces.push(piece);
  return pieces;
}

it('keeps every part, in order, in few pieces of which none ends within a letter', async () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `${index};ß日😀`);
  const parts = texts.map((text, index) => (index % 2 === 0 ? text : Buffer.from(text)));
  const pieces = await all([...parts, 'é'.repeat(200_000), '', Buffer.alloc(100_000, 'a'), 'end']);
  const expected = `${texts.join('')}${'é'.repeat(200_000)}${'a'.repeat(100_000)}end`;
  expect(pieces.map((piece) => piece.toString()).join('') === expected).toBe(true);
  expect(pieces.length).toBeLessThan(30);
  expect(await all([])).toEqual([]);
});

it('copies what may be the same memory each time before it asks for the next', async () => {
  const memory = Buffer.alloc(1);
  function* same(): Generator<Uint8Array> {
    for (const letter of 'letters') {
      memory.write(letter);
      yield memory;
    }
  }
  expect(Buffer.concat(await all(same())).toString()).toBe('letters');
});

it.each([0, 100_000, 2_000_000])('makes one piece of them, whatever it was said that they take (%i)', async (about) => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `${index};ß日😀`);
  const parts = [...texts, Buffer.alloc(100_000, 'a'), 'é'.repeat(200_000), ''];
  const whole = await wholeInTurns(parts, about);
  expect(whole.toString() === `${texts.join('')}${'a'.repeat(100_000)}${'é'.repeat(200_000)}`).toBe(true);
  expect(await wholeInTurns([], 0)).toHaveLength(0);
});

it.each([
  ['pieces', all],
  ['one', (parts: Iterable<string>) => wholeInTurns(parts, 10)],
] as const)('lets others have their turn while it gathers %s', async (_, gather) => {
  const order: string[] = [];
  function* slowly(): Generator<string> {
    for (let n = 0; n < 3; n++) {
      const untilMs = performance.now() + 10;
      while (performance.now() < untilMs);
      order.push('text');
      yield 'text';
    }
  }
  // From an answer of the system on: immediates come next, and timers behind them, however slow the machine is.
  await stat('.');
  setImmediate(() => order.push('another'));
  await gather(slowly());
  expect(order).toEqual(['text', 'another', 'text', 'text']);
});
