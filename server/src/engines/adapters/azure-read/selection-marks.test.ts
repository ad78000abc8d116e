import { describe, expect, it } from 'vitest';
import { marksOf, withSigns, withSignsIn } from './selection-marks.ts';

const CONTENT = 'Paid :selected: yes :unselected: no, :selected: as printed';
const mark = (state: string, offset: number, length = state.length + 2) => ({ state, span: { offset, length } });
const MARKS = marksOf({
  analyzeResult: {
    pages: [{ selectionMarks: [mark('unselected', 20)] }, {}, { selectionMarks: [mark('selected', 5), 'odd'] }],
  },
});

describe('a selection mark of Azure', () => {
  it('is a box in the text, where Azure says that one stands', () => {
    expect(withSigns(CONTENT, 0, MARKS)).toBe('Paid ☒ yes ☐ no, :selected: as printed');
    expect(withSigns(CONTENT.slice(16, 35), 16, MARKS)).toBe('yes ☐ no');
    expect(withSigns(CONTENT.slice(0, 10), 0, MARKS)).toBe('Paid :sele');
  });

  it('stays what it is where the text has something else in its place', () => {
    const odd = marksOf({ analyzeResult: { pages: [{ selectionMarks: [mark('selected', 0), mark('half', 5, 10)] }] } });
    expect(withSigns('☒ yes or no no', 0, odd)).toBe('☒ yes or no no');
  });

  it('is a box in what is told of a part of the text, too', () => {
    expect(withSignsIn(':selected:\nyes', [{ offset: 5, length: 14 }], MARKS)).toBe('☒\nyes');
    expect(withSignsIn(':selected: as printed', [{ offset: 37, length: 21 }], MARKS)).toBe(':selected: as printed');
    expect(withSignsIn('a :unselected:', null, MARKS)).toBe('a :unselected:');
  });

  it('is none in an answer without any', () => {
    for (const odd of [null, {}, { analyzeResult: { pages: [{ selectionMarks: null }] } }]) {
      expect(marksOf(odd)).toEqual([]);
    }
  });
});
