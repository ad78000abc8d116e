import { describe, expect, it } from 'vitest';
import { characterErrorRate, normaliseText, wordErrorRate } from '../../accuracy/error-rate.ts';

describe('the character error rate', () => {
  it.each([
    ['kitten', 'sitting', 3 / 6], // two replaced, one inserted
    ['abc', 'abc', 0],
    ['abc', '', 1],
    ['ab', 'abxyz', 3 / 2], // more was read than is there
    ['abcd', 'acd', 1 / 4],
    ['abcd', 'badc', 3 / 4], // a swap is no single edit
    ['', '', 0],
    ['', 'x', 1],
  ])('of %j read as %j', (truth, read, rate) => {
    expect(characterErrorRate(truth, read)).toBeCloseTo(rate, 12);
  });

  it('counts code points, not halves of them', () => {
    expect(characterErrorRate('a😀b', 'a😁b')).toBeCloseTo(1 / 3, 12);
  });

  it('takes composed and decomposed letters, and all white space, for the same', () => {
    expect(characterErrorRate('Caf\u00e9 au lait', ' Cafe\u0301\n\tau\u00a0 lait\r\n')).toBe(0);
    expect(normaliseText('  a \n\n b  ')).toBe('a b');
  });

  it('tells upper from lower case', () => {
    expect(characterErrorRate('ABCD', 'ABcD')).toBe(1 / 4);
  });
});

describe('the word error rate', () => {
  it.each([
    ['the cat sat', 'the cat sat', 0],
    ['the cat sat', 'the bat sat', 1 / 3],
    ['the cat sat', 'the cat', 1 / 3],
    ['the cat sat', 'thecat sat', 2 / 3],
    ['the cat sat.', 'the cat sat', 1 / 3],
    ['', '', 0],
    ['', 'x y', 1],
  ])('of %j read as %j', (truth, read, rate) => {
    expect(wordErrorRate(truth, read)).toBeCloseTo(rate, 12);
  });
});
