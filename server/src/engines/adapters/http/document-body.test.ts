import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyWith, encodeBody } from './document-body.ts';

const around = { before: '{"é":"', after: '","ü":1}' };

/** Turns of the event loop that others had while the body was made. */
async function turnsOf(bytes: Buffer): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await encodeBody({ ...around, bytes });
  clearImmediate(next);
  return turns;
}

describe('a body with a document in it', () => {
  it.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 196_608, 196_609, 4_000_001])(
    'is what it would be in one piece: %i bytes',
    async (size) => {
      const bytes = randomBytes(size);
      const whole = Buffer.from(`${around.before}${bytes.toString('base64')}${around.after}`);
      expect((await encodeBody({ ...around, bytes })).equals(whole)).toBe(true);
    },
  );

  it('is the JSON of its fields', async () => {
    const bytes = randomBytes(100_000);
    const fields = (base64: string) => ({ é: 'a "b"', of: [{ url: `data:image/png;base64,${base64}` }], last: null });
    const body = await encodeBody(bodyWith(bytes, fields));
    expect(body.toString()).toBe(JSON.stringify(fields(bytes.toString('base64'))));
  });

  it('lets others have their turn between the pieces of a large one', async () => {
    expect(await turnsOf(randomBytes(4_000_000))).toBeGreaterThanOrEqual(19);
  });

  it('is made at once where it is small', async () => {
    expect(await turnsOf(randomBytes(190_000))).toBe(0);
  });
});
