import { expect, it } from 'vitest';
import { parseJson } from './answer.ts';

it('gives the value of a JSON text, and null for what is none', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  expect(parseJson('{"a"')).toBeNull();
});

it('takes an answer of a hundred dense pages with a place for each letter', () => {
  const letter = '{"boundingBox":{"vertices":[{"x":1,"y":2},{"x":3,"y":2},{"x":3,"y":4},{"x":1,"y":4}]},"text":"a"}';
  expect(parseJson(`[${Array(160_000).fill(letter).join(',')}]`)).toHaveLength(160_000);
});

it.each(['{}', '[]', '1'])('takes no answer of millions of values (%s)', (value) => {
  expect(parseJson(`[${Array(4_000_000).fill(value).join(',')}]`) === null).toBe(true); // a difference would be millions of lines
});
