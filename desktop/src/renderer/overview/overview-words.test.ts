import { expect, it } from 'vitest';
import { failuresWords, runsWords } from './overview-words.ts';

it('calls an engine’s faults errors, and says “failed” of attempts and requests alone', () => {
  expect(runsWords({ requests: 20_579, errorRate: 0.0214, refused: 0 })).toBe('20,579 runs, 2.1 % engine errors');
  expect(runsWords({ requests: 0, errorRate: null, refused: 1 })).toBe('no runs on engines, 1 call refused');
  expect(failuresWords({ chargedOnFailures: 3.96 })).toBe('$3.96 of it for attempts that failed, at cost');
});
