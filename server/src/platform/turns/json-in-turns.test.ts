import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { jsonInTurns, LargeJson } from './json-in-turns.ts';

class Numbers extends LargeJson {
  readonly #numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    super();
    this.#numbers = numbers;
  }

  get size(): number {
    return 2 * this.#numbers.length;
  }

  get held(): number {
    return 8 * this.#numbers.length;
  }

  protected value(): readonly number[] {
    return this.#numbers;
  }

  *pieces(): Generator<string> {
    yield '[';
    for (const [index, number] of this.#numbers.entries()) yield `${index === 0 ? '' : ','}${number}`;
    yield ']';
  }
}

it('writes what JSON.stringify writes', async () => {
  const value = { a: [new Numbers([1, 2]), null, new Numbers([])], b: { c: 'text "part-"', d: new Numbers([3]) } };
  expect(await jsonInTurns(value).whole()).toBe(JSON.stringify(value));
  expect(jsonInTurns(value)).toMatchObject({ size: 6, held: 24 });
  expect(await jsonInTurns({ plain: true }).whole()).toBe('{"plain":true}');
});

it('writes long texts in pieces, letters of two units whole', async () => {
  const long = `a"\n\u0000\ud83d${'😀é\u2028'.repeat(100_000)}\udc00`;
  const value = {
    text: `x${long}`,
    list: [long, { short: 'text', none: null, absent: undefined }],
    key: new Numbers([1]),
  };
  const json = jsonInTurns(value);
  const pieces: string[] = [];
  for await (const piece of json.pieces()) pieces.push(piece.toString());
  expect(pieces.join('')).toBe(JSON.stringify(value));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(400_000);
  expect(json).toMatchObject({ size: 2 * long.length + 3, held: 2 * Buffer.byteLength(long) + 9 });
});

it('lets others have their turn while it writes a large part', async () => {
  let turns = 0;
  let written = false;
  const writing = jsonInTurns({ part: new Numbers(Array(1_000_000).fill(1)) })
    .whole()
    .finally(() => {
      written = true;
    });
  while (!written) {
    turns += 1;
    await turn();
  }
  await writing;
  expect(turns).toBeGreaterThan(2);
});
