import { expect, it } from 'vitest';
import { z } from 'zod';
import { listOf } from './list-of.ts';

it('reads items as they are read alone', () => {
  expect(listOf(z.object({ a: z.number().catch(0) })).parse([{ a: 1, b: 2 }, { a: 'x' }])).toEqual([
    { a: 1 },
    { a: 0 },
  ]);
});

it('refuses what is no list, and too short a one', () => {
  expect(listOf(z.string()).safeParse('a').success).toBe(false);
  expect(listOf(z.string(), 1).safeParse([]).success).toBe(false);
  expect(listOf(z.string(), 1).nullish().catch(null).parse([])).toBeNull();
});

it('looks at nothing behind the first item that is wrong', () => {
  let looks = 0;
  const item = z.unknown().refine(() => ++looks < 3);
  expect(listOf(item).safeParse(Array(1000).fill({})).error?.issues).toHaveLength(1);
  expect(looks).toBe(3);
});
