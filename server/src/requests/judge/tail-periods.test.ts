import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tailPeriods } from './tail-periods.ts';

describe('tailPeriods', () => {
  const cases: [string, [length: number, repeats: number][]][] = [
    ['', []],
    ['a', []],
    ['abc', []],
    ['aa', [[1, 2]]],
    ['xabab', [[2, 2]]],
    ['aaaaaa', [[1, 6]]],
    ['babcabcabc', [[3, 3]]],
    ['abaababaab', [[5, 2]]],
    [
      'abccabcc',
      [
        [1, 2],
        [4, 2],
      ],
    ],
    ['abx', []],
  ];
  it.each(cases)('finds in %j the units %j', (text, expected) => {
    expect(tailPeriods(Buffer.from(text)).map(({ length, repeats }) => [length, repeats])).toEqual(expected);
  });

  it('agrees with cutting the end off and comparing', () => {
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 24 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        expect(tailPeriods(Buffer.from(value))).toEqual(bySlicing(value));
      }),
    );
  });
});

function bySlicing(text: string): { length: number; repeats: number }[] {
  const found: { length: number; repeats: number }[] = [];
  for (let length = 1; length * 2 <= text.length; length += 1) {
    const unit = text.slice(-length);
    let repeats = 1;
    while (text.endsWith(unit.repeat(repeats + 1))) repeats += 1;
    const isPower = [...Array(length).keys()].some(
      (q) => q > 0 && length % q === 0 && unit === unit.slice(0, q).repeat(length / q),
    );
    if (repeats > 1 && !isPower) found.push({ length, repeats });
  }
  return found;
}
