import { describe, expect, it } from 'vitest';
import { csvText } from './csv.ts';

describe('csvText', () => {
  it('ends every row with CRLF, and leaves out what is null', () => {
    expect(
      csvText([
        ['a', 1, null],
        ['b', 0.5, 'c'],
      ]),
    ).toBe('a,1,\r\nb,0.5,c\r\n');
  });

  it('quotes what would otherwise end a cell', () => {
    expect(csvText([['a,b', 'say "no"', 'two\nlines']])).toBe('"a,b","say ""no""","two\nlines"\r\n');
  });

  it('gives a spreadsheet no formula to run', () => {
    expect(csvText([['=1+1', '+1', '-1', '@x', '\tx', -1]])).toBe(`'=1+1,'+1,'-1,'@x,'\tx,-1\r\n`);
  });
});
