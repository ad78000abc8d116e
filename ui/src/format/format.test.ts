import { expect, it } from 'vitest';
import { age, lasting } from './age.ts';
import { bytes } from './bytes.ts';
import { plural } from './count.ts';
import { duration, wholeSeconds } from './duration.ts';
import { columnMoney, exactMoney, money } from './money.ts';
import { percent, share } from './percent.ts';

it('shows two decimals of money, and more of what would look like zero', () => {
  expect([0, 12.4, 0.38, 0.1, 1234.5].map(money)).toEqual(['$0.00', '$12.40', '$0.38', '$0.10', '$1,234.50']);
  expect([0.0015, 0.00000012, 0.05, -0.004].map(money)).toEqual(['$0.0015', '$0.00000012', '$0.05', '-$0.004']);
  expect(money(null)).toBe('–');
});

it('keeps every nano-dollar where the amount is exact', () => {
  expect([1.5, 0.000000001, -2, 0].map(exactMoney)).toEqual(['$1.50', '$0.000000001', '-$2.00', '$0.00']);
  expect([1_234_567.5, 98_765.000000001].map(exactMoney)).toEqual(['$1,234,567.50', '$98,765.000000001']);
});

it('writes amounts of a column with as many decimals as a page’s price has', () => {
  const amounts = [97.784, 97.7534, 0.01, 0.000000001, 0];
  expect(amounts.map(columnMoney)).toEqual(['$97.7840', '$97.7534', '$0.0100', '$0.000000001', '$0.0000']);
});

it('shows a duration in the two units that matter', () => {
  const texts = [0, 840, 2400, 41_000, 200_000, 7_500_000, 356_400_000].map(duration);
  expect(texts).toEqual(['0 ms', '840 ms', '2.4 s', '41 s', '3 min 20 s', '2 h 5 min', '4 d 3 h']);
});

it('shows whole seconds without decimals, from none on', () => {
  expect([0, 7, 59, 60, 65, 3600].map(wholeSeconds)).toEqual(['0 s', '7 s', '59 s', '1 min', '1 min 5 s', '1 h']);
});

it('says how long ago', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  expect(age('2026-11-21T09:59:59.800Z', now)).toBe('just now');
  expect(age('2026-11-21T09:59:55.200Z', now)).toBe('4 s ago');
  expect(age('2026-11-21T06:55:00Z', now)).toBe('3 h ago');
  expect(age('2026-11-01T06:55:00Z', now)).toBe('20 d ago');
  expect(lasting('2026-11-21T09:20:44Z', now)).toBe('39 min');
  expect(lasting('2026-11-21T10:00:00Z', now)).toBe('1 s');
  expect(age(null, now)).toBe('never');
});

it('never rounds to all or nothing', () => {
  expect(percent(99.999)).toBe('99.99 %');
  expect(percent(100)).toBe('100 %');
  expect(share(0.0001)).toBe('0.1 %');
  expect(share(0)).toBe('0 %');
});

it('counts bytes and things', () => {
  expect([0, 999, 1000, 1_240_000, 999_600].map(bytes)).toEqual(['0 B', '999 B', '1.0 kB', '1.2 MB', '1.0 MB']);
  expect([plural(1, 'page'), plural(1200, 'page')]).toEqual(['1 page', '1,200 pages']);
});
