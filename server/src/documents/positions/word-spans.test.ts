import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordSpans } from './word-spans.ts';

const sliced = (text: string, span: readonly [number, number] | null) => span && [...text].slice(...span).join('');

describe('where words stand in a text', () => {
  it('counts code points, and takes words in their order', () => {
    const text = 'a 𝔘𝔫 b\na c';
    expect(wordSpans(text, ['a', '𝔘𝔫', 'b', 'a', 'c'])).toEqual([
      [0, 1],
      [2, 4],
      [5, 6],
      [7, 8],
      [9, 10],
    ]);
  });

  it('finds a word that a line break or blanks divide', () => {
    const text = 'one wo\nrd';
    expect(wordSpans(text, ['one', 'word']).map((span) => sliced(text, span))).toEqual(['one', 'wo\nrd']);
  });

  it('goes on behind a word that is divided, and behind one that is missing', () => {
    const words = ['one', 'two', 'gone', 'three', 'four'];
    expect(wordSpans('one tw\no  three\nfour', words)).toEqual([[0, 3], [4, 8], null, [10, 15], [16, 20]]);
  });

  it('has nothing for a word that does not stand there, and goes on behind it', () => {
    expect(wordSpans('**Total** 12', ['Total', 'Summe', '12', ''])).toEqual([[2, 7], null, [10, 12], null]);
  });

  it('does not take a word of far behind for the one that is missing here', () => {
    const text = `first ${'x '.repeat(300)}gone`;
    expect(wordSpans(text, ['first', 'gone'])[1]).toBeNull();
  });

  it('finds every word of the text that they make, whatever they are made of', () => {
    const word = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .filter((text) => !/\s|[\ud800-\udfff]/.test(text));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.constantFrom(' ', '\n', '  \n'), (words, between) => {
        const text = words.join(between);
        expect(wordSpans(text, words).map((span) => sliced(text, span))).toEqual(words);
      }),
    );
  });
});
