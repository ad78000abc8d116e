import { expect, it } from 'vitest';
import { isNotModified } from './not-modified.ts';

it.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['*', true],
  [' * ', true],
  ['"a,b", "a"', true],
  ['"b"', false],
  ['"a,b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s', (header, answer) => {
  expect(isNotModified(header, 'W/"a"')).toBe(answer);
});
