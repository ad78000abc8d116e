import { describe, expect, it } from 'vitest';
import { usagePeriod } from './usage-period.ts';

const NOW = new Date('2026-11-20T10:30:00Z');

describe('the period of a usage history', () => {
  it('is the last 30 days and today when nothing is said', () => {
    expect(usagePeriod(null, undefined, NOW)).toEqual({
      start: new Date('2026-10-21T00:00:00Z'),
      end: new Date('2026-11-21T00:00:00Z'),
    });
  });

  it('holds both of its days, in UTC', () => {
    expect(usagePeriod('2026-02-28', '2026-02-28', NOW)).toEqual({
      start: new Date('2026-02-28T00:00:00Z'),
      end: new Date('2026-03-01T00:00:00Z'),
    });
  });

  it.each(['2026-02-30', '2026-13-01', '2026-1-1', '20261120', 'yesterday', '', '0000-01-01', '2026-11-20T00:00:00Z'])(
    'refuses %s',
    (text) => {
      expect(() => usagePeriod(text, null, NOW)).toThrow(/^from: must be a date/);
      expect(() => usagePeriod('2020-01-01', text, NOW)).toThrow(/^to: must be a date/);
    },
  );

  it('refuses an end before its beginning, given or not', () => {
    expect(() => usagePeriod('2026-11-19', '2026-11-18', NOW)).toThrow(/from/);
    expect(() => usagePeriod('2026-11-21', null, NOW)).toThrow(/from/);
    expect(() => usagePeriod(null, '2026-10-20', NOW)).toThrow(/from/);
  });
});
