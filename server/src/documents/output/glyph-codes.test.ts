import { expect, it } from 'vitest';
import { GlyphCodes } from './glyph-codes.ts';

it('gives a character of the first plane its own code', () => {
  expect(new GlyphCodes().encode('Aß日ﬁ')).toEqual({ hex: '004100DF65E5FB01', count: 4 });
});

it('gives each other character one spare code, and says which it is', () => {
  const codes = new GlyphCodes();
  expect(codes.encode('🎉a𝄞🎉')).toEqual({ hex: 'D8000061D801D800', count: 4 });
  expect(codes.toUnicode()).toContain('2 beginbfchar\n<D800> <D83CDF89>\n<D801> <D834DD1E>\nendbfchar');
});

it('has no more codes than there are: what comes after is the replacement character', () => {
  const codes = new GlyphCodes();
  const many = Array.from({ length: 2100 }, (_, index) => String.fromCodePoint(0x20000 + index)).join('');
  const { hex, count } = codes.encode(many);
  expect(count).toBe(2100);
  expect(hex.slice(0, 2048 * 4)).not.toContain('FFFD');
  expect(hex.slice(2048 * 4)).toBe('FFFD'.repeat(52));
  expect(Math.max(...[...codes.toUnicode().matchAll(/(\d+) beginbfchar/g)].map(([, size]) => Number(size)))).toBe(100);
});

it('writes neither control characters nor halves of a pair', () => {
  expect(new GlyphCodes().encode('a\u0000\u0007\ud800').hex).toBe('006100200020FFFD');
});
