import { describe, expect, it } from 'vitest';
import { previewOf } from './preview.ts';

describe('previewOf', () => {
  it.each([
    ['letters', 'a'.repeat(1999), '👍 and more'],
    ['letters beyond the first plane', '𠮷'.repeat(1999), '𠮷'.repeat(5)],
  ])('ends after 2,000 code points of %s, never within one', (_name, before, after) => {
    const preview = previewOf(before + after);
    expect([...preview]).toHaveLength(2000);
    expect(preview.isWellFormed()).toBe(true);
    expect((before + after).startsWith(preview)).toBe(true);
  });

  it('is all of a text that fits', () => {
    const text = `${'👍'.repeat(1000)}${'a'.repeat(1000)}`;
    expect(previewOf(text)).toBe(text);
    expect(previewOf('')).toBe('');
  });
});
