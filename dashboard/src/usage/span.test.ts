import { describe, expect, it } from 'vitest';
import { filterOf, parseNarrowing } from '../requests/request-filter.ts';
import { chargedFailuresIn, daysOf, isSpan, lastDays, monthBefore, spanIn, timesOf } from './span.ts';

const NOW_MS = Date.parse('2026-03-01T00:30:00Z');

describe('a span of days', () => {
  it('counts both its ends, in UTC', () => {
    expect(lastDays(3, NOW_MS)).toEqual({ from: '2026-02-27', to: '2026-03-01' });
    expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  it('is none when it ends before it begins, is too long, or is no date', () => {
    expect(isSpan({ from: '2026-03-01', to: '2026-03-01' })).toBe(true);
    expect(isSpan({ from: '2026-03-02', to: '2026-03-01' })).toBe(false);
    expect(isSpan({ from: '2024-03-01', to: '2026-03-01' })).toBe(false);
    expect(isSpan({ from: '', to: '2026-03-01' })).toBe(false);
    expect(daysOf({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
  });

  it('stands in the address, and is the last 30 days where that names none', () => {
    expect(spanIn('from=2026-02-01&to=2026-02-28', NOW_MS)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    for (const search of ['', 'from=2026-02-28&to=2026-02-01', 'from=soon&to=2026-02-28']) {
      expect(spanIn(search, NOW_MS)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
    }
  });

  it('is a month from its first day to its last, or to today', () => {
    expect([0, 1, 2].map((months) => monthBefore(months, NOW_MS))).toEqual([
      { from: '2026-03-01', to: '2026-03-01' },
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2026-01-01', to: '2026-01-31' },
    ]);
    expect(monthBefore(1, Date.parse('2026-01-15T12:00:00Z'))).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  });

  it('leads to its own requests: those of the days that were counted', () => {
    const span = { from: '2026-02-27', to: '2026-02-28' };
    const [, search = ''] = chargedFailuresIn(span).split('?');
    expect(filterOf(parseNarrowing(search))).toEqual({ ...timesOf(span), chargedFailures: true });
  });

  it('ends with the last moment of its last day', () => {
    expect(timesOf({ from: '2026-02-27', to: '2026-02-28' })).toEqual({
      from: '2026-02-27T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
    });
  });
});
