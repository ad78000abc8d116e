import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { parsePageRange } from './page-range.ts';

describe('parsePageRange', () => {
  const good: [string, number[]][] = [
    ['1', [1]],
    ['1-3,5', [1, 2, 3, 5]],
    [' 1 - 3 , 5 ', [1, 2, 3, 5]],
    ['4-4', [4]],
    ['5,1-3', [1, 2, 3, 5]],
    ['2,2,1-3,3-4', [1, 2, 3, 4]],
    ['007', [7]],
    ['999999998-999999999', [999999998, 999999999]],
  ];
  it.each(good)('reads %j as %j', (range, pages) => {
    expect(parsePageRange(range, 20)).toEqual(pages);
  });

  const bad: [string, RegExp][] = [
    ['', /"" is no page/],
    ['a', /"a" is no page/],
    ['1,', /"" is no page/],
    ['1,,2', /"" is no page/],
    ['-3', /"-3" is no page/],
    ['3-', /"3-" is no page/],
    ['1-2-3', /"1-2-3" is no page/],
    ['1.5', /"1.5" is no page/],
    ['1 2', /"1 2" is no page/],
    ['+1', /is no page/],
    ['0x10', /is no page/],
    ['٣', /is no page/],
    ['1–3', /is no page/],
    ['9'.repeat(10_000), /"9{40}…" is no page/],
    ['0', /counted from 1/],
    ['0-3', /counted from 1/],
    ['3-1', /"3-1" runs backwards/],
    ['1-21', /names 21 pages; this engine reads at most 20/],
    ['1-11,13-22', /names 21 pages/],
    ['1-999999999', /names 999999999 pages/],
    [Array.from({ length: 4000 }, (_, i) => i + 1).join(','), /names 4000 pages/],
    ['1,'.repeat(2 ** 20), /is longer than/],
  ];
  it.each(bad)('refuses %.40j', (range, message) => {
    const error = refusalOf(() => parsePageRange(range, 20));
    expect(error.code).toBe('invalid_request');
    expect(error.message).toMatch(/^settings\.page_range: /);
    expect(error.message).toMatch(message);
  });

  it('counts pages once against the maximum', () => {
    expect(parsePageRange('1-20,1-20', 20)).toHaveLength(20);
  });
});

function refusalOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('was not refused');
}
