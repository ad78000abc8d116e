import { describe, expect, it } from 'vitest';
import { inReadingOrder, isFromRightPage } from './reading-order.ts';

/** Lines as they stand from left to right. */
describe('inReadingOrder', () => {
  it.each([
    ['a line of one direction', 'דג בא', 'אב גד'],
    ['words from the left', 'ב CFR DCB א', 'א CFR DCB ב'],
    ['words with a number behind them', 'ב RFC 2119 א', 'א RFC 2119 ב'],
    ['numbers with what stands in them', '.05.1 ב 12/03/2024 א', 'א 12/03/2024 ב 05.1.'],
    ['an address, and a comma behind it', 'ב ,info@example.com :א', 'א: info@example.com, ב'],
    ['a number with its unit', 'ב 7% א', 'א 7% ב'],
    ['a telephone number in Hebrew', '03-1234 א', 'א 03-1234'],
    ['one in Arabic, where its parts run from the right', '1234-03 ب', 'ب 03-1234'],
    ['brackets around words from the left, which belong to them', 'ב foo (bar) א', 'א foo (bar) ב'],
  ])('reads %s', (_, visual, expected) => {
    expect(inReadingOrder([...visual], true)).toBe(expected);
  });

  it('turns the words from the right in a line from the left, together', () => {
    expect(inReadingOrder([...'The words בא גד, and הו.'], false)).toBe('The words דג אב, and וה.');
  });

  it('goes by the full stop, and by the page, where a line has more Latin letters', () => {
    expect(inReadingOrder([...'.Latin letters א'], false)).toBe('א Latin letters.');
    expect(inReadingOrder([...'Latin letters א'], true)).toBe('א Latin letters');
    expect(inReadingOrder([...'Latin letters אב.'], true)).toBe('Latin letters בא.');
  });

  it('leaves lines without such letters as they are, and turns numbers of a page from the right', () => {
    expect(inReadingOrder([...'.12 abc'], true)).toBe('.12 abc');
    expect(inReadingOrder([...'.12'], true)).toBe('12.');
    expect(inReadingOrder([...'.12'], false)).toBe('.12');
  });
});

describe('isFromRightPage', () => {
  it('goes by most of the lines', () => {
    expect(isFromRightPage([[...'אב'], [...'גד'], [...'abcdef']])).toBe(true);
    expect(isFromRightPage([[...'אב'], [...'abcdef']])).toBe(false);
    expect(isFromRightPage([])).toBe(false);
  });
});

it('reads a line of as many letters as a hostile page has', () => {
  const line = `${'a'.repeat(200_001)} ${'א'.repeat(200_000)}`;
  expect(inReadingOrder([...line], false)).toBe(line);
});
