import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { documentHash } from './document-hash.ts';

it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])('the hash of %i bytes is their SHA-256', async (length) => {
  const bytes = Buffer.alloc(length + 5, 'some text').subarray(5);
  expect(await documentHash(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
});
