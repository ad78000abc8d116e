import { expect, it } from 'vitest';
import { previewWords } from './preview-words.ts';

it('says that a preview is cut only where it may be', () => {
  expect(previewWords('a short page')).toBe('The part that was read.');
  expect(previewWords('𝐱'.repeat(1999))).toBe('The part that was read.');
  expect(previewWords('𝐱'.repeat(2000))).toBe('The first 2,000 characters of the part that was read.');
});
