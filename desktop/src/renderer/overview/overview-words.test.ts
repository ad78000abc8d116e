import { expect, it } from 'vitest';
import { chargeChange, failuresWords, latencyChange, runsChange, runsWords } from './overview-words.ts';

it('calls an engine’s faults errors, and says “failed” of attempts and requests alone', () => {
  expect(runsWords({ requests: 20_579, errorRate: 0.0214, refused: 0 })).toBe('20,579 runs, 2.1 % engine errors');
  expect(runsWords({ requests: 0, errorRate: null, refused: 1 })).toBe('no runs on engines, 1 call refused');
  expect(failuresWords({ chargedOnFailures: 3.96 })).toBe('$3.96 of it for attempts that failed, at cost');
});

it('says how whole hours differ from as many before them', () => {
  const latest = { requests: 120, p95Ms: 1500, spent: 3 };
  const before = { requests: 100, errorRate: 0.01, p95Ms: 1000, spent: 4 };
  const day = { hours: 24, latest, before };
  expect(latencyChange(day, 1500)).toBe('50 % longer than in the 24 h before (1.0 s)');
  expect(chargeChange(day, 3)).toBe('25 % less than in the 24 h before ($4.00)');
  expect(runsChange(day)).toBe('20 % more than in the 24 h before, which had 1.0 % errors');
  expect(runsChange({ ...day, hours: 168 })).toContain('20 % more than in the 7 days before');
  const same = { hours: 1, latest: { ...before, p95Ms: 1004, requests: 50 }, before };
  expect(latencyChange(same, 1004)).toContain('as long as in the hour before');
  expect(chargeChange(same, 4)).toContain('as much as in the hour before');
  expect(runsChange(same)).toContain('50 % fewer than in the hour before');
});

it('names what is compared where the hour that runs makes it another figure than the one above', () => {
  const latest = { requests: 120, p95Ms: 900, spent: 2.66 };
  const before = { requests: 100, errorRate: 0.01, p95Ms: 1000, spent: 7.18 };
  const day = { hours: 24, latest, before };
  expect(latencyChange(day, 1100)).toBe('900 ms in whole hours, 10 % less than in the 24 h before (1.0 s)');
  expect(chargeChange(day, 3.02)).toBe('$2.66 in whole hours, 63 % less than in the 24 h before ($7.18)');
});

it('says nothing of a change where nothing is known of before', () => {
  const latest = { requests: 120, p95Ms: null, spent: 3 };
  for (const before of [null, { requests: 0, errorRate: null, p95Ms: null, spent: 0 }]) {
    const change = { hours: 24, latest, before };
    expect([latencyChange(change, 1), chargeChange(change, 1), runsChange(change)]).toEqual(['', '', '']);
  }
});
