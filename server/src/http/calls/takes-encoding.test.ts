import { expect, it } from 'vitest';
import { takesEncoding } from './takes-encoding.ts';

it.each([
  ['gzip, deflate, br, zstd', true, true],
  ['GZIP ; q=0.5', true, false],
  ['x-gzip', true, false],
  ['br;q=0, gzip;q=0.000', false, false],
  ['br;q=0.001', false, true],
  ['*', false, false],
  ['identity', false, false],
  ['', false, false],
  [undefined, false, false],
])('%s', (header, gzip, brotli) => {
  expect([takesEncoding(header, 'gzip'), takesEncoding(header, 'br')]).toEqual([gzip, brotli]);
});
