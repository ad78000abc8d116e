import { describe, expect, it } from 'vitest';
import { daysOf, isSpan, lastDays } from './span.ts';

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
});
