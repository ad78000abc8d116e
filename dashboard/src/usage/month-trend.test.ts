import { expect, it } from 'vitest';
import { monthTrend, trendSpan, trendWords } from './month-trend.ts';

const NOW_MS = Date.parse('2026-03-04T12:00:00Z');
const CHARGED = [
  { of: '2026-02-01', cost: 2 },
  { of: '2026-02-04', cost: 2 },
  { of: '2026-02-28', cost: 6 },
  { of: '2026-03-01', cost: 1 },
  { of: '2026-03-03', cost: 4 },
];

it('sums up both months day by day, the present one up to today', () => {
  expect(trendSpan(NOW_MS)).toEqual({ from: '2026-02-01', to: '2026-03-04' });
  const { present, former } = monthTrend(CHARGED, NOW_MS);
  expect(present).toEqual([1, 1, 5, 5]);
  expect(former.length).toBe(28);
  expect([former[2], former[3], former[27]]).toEqual([2, 4, 10]);
});

it('compares with the same day of the last month', () => {
  expect(trendWords(monthTrend(CHARGED, NOW_MS))).toBe(
    '$5.00 so far, 25 % more than the $4.00 by this day of last month; $10.00 in all of last month',
  );
  expect(trendWords(monthTrend(CHARGED, Date.parse('2026-03-01T00:00:00Z')))).toContain('50 % less than the $2.00');
  expect(trendWords({ present: [0, 0, 3], former: [0, 3] })).toContain('as much as by this day');
  expect(trendWords({ present: [3], former: [0, 3] })).toContain('against nothing by this day');
  expect(trendWords({ present: [3], former: [0] })).toBe('$3.00 so far, nothing last month');
});
