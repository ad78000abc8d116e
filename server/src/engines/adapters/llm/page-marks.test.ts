import { describe, expect, it } from 'vitest';
import { pageMark, splitPages } from './page-marks.ts';

describe('splitPages', () => {
  it('gives each page the text behind its mark, in the order asked for', () => {
    const text = `${pageMark(5)}\nfive\n\n${pageMark(2)}\n\ntwo\n\ntwo more\n`;
    expect(splitPages(text, [2, 5])).toEqual({
      pages: [
        { number: 2, text: 'two\n\ntwo more' },
        { number: 5, text: 'five' },
      ],
      marked: true,
    });
  });

  it('leaves a page out whose mark is missing, and keeps a blank one', () => {
    expect(splitPages('[[page 1]]\none\n[[page 3]]\n', [1, 2, 3]).pages).toEqual([
      { number: 1, text: 'one' },
      { number: 3, text: '' },
    ]);
  });

  it('counts text before the first mark to the first page, and a mark that returns to its page', () => {
    expect(splitPages('zero\n[[page 1]]\none\n[[page 2]]\ntwo\n[[page 1]]\nrest', [1, 2]).pages).toEqual([
      { number: 1, text: 'zero\n\none\n\nrest' },
      { number: 2, text: 'two' },
    ]);
  });

  it('puts an answer without marks on the first page and says so', () => {
    expect(splitPages('all of it', [4, 5])).toEqual({
      pages: [
        { number: 4, text: 'all of it' },
        { number: 5, text: '' },
      ],
      marked: false,
    });
  });

  it('needs no mark for one page, and does not keep one', () => {
    expect(splitPages('text', [7])).toEqual({ pages: [{ number: 7, text: 'text' }], marked: true });
    expect(splitPages('[[page 7]]\ntext', [7]).pages).toEqual([{ number: 7, text: 'text' }]);
  });

  it('goes by the order of the marks where all pages were read and marked by other numbers, as those printed on them', () => {
    const printed = '[[page 12]]\none\n[[page 40]]\ntwo';
    const byOrder = [
      { number: 1, text: 'one' },
      { number: 2, text: 'two' },
    ];
    expect(splitPages(printed, [1, 2], 2).pages).toEqual(byOrder);
    expect(splitPages('[[page 2]]\none\n[[page 3]]\ntwo', [1, 2], 2).pages).toEqual(byOrder);
    expect(splitPages(printed, [1, 2], 40).pages).toEqual([]);
  });

  it('takes a mark of no page for text where each page has its own, and for a page that was not asked for where there are more', () => {
    const text = '[[page 1]]\none\n[[page 9]]\nmore\n[[page 2]]\ntwo';
    const pages = (first: string) => [
      { number: 1, text: first },
      { number: 2, text: 'two' },
    ];
    expect(splitPages(text, [1, 2], 2)).toEqual({ pages: pages('one\n[[page 9]]\nmore'), marked: true });
    expect(splitPages(text, [1, 2], 12)).toEqual({ pages: pages('one'), marked: true });
  });

  it('puts all on the first page where a mark names none of the pages and their order does not tell either', () => {
    expect(splitPages('[[page 2]]\ntwo\n[[page 4]]\nfour', [1, 2, 3], 3)).toEqual({
      pages: [
        { number: 1, text: 'two\n\nfour' },
        { number: 2, text: '' },
        { number: 3, text: '' },
      ],
      marked: false,
    });
  });

  it('takes a mark inside a line for text', () => {
    expect(splitPages('see [[page 2]] there', [1, 2]).marked).toBe(false);
  });
});
