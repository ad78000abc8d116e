import { expect, it } from 'vitest';
import { broken, type TrialReport } from './trial.ts';

const NONE = { small: 0, pdf: 0, large: 0, livez: 0 };
const QUIET = { calls: 10, errors: [], p50Ms: NONE, p99Ms: NONE, longestMs: NONE };
const WHOLE: TrialReport = {
  attack: { name: 'an attack', finding: 'S1' },
  quiet: QUIET,
  during: QUIET,
  memoryMb: null,
  misses: null,
  survived: true,
};

it('has nothing to say of an attack that nobody felt', () => {
  expect(broken(WHOLE)).toEqual([]);
});

it.each<[string, Partial<TrialReport>, RegExp]>([
  ['has met nothing', { misses: 'Error: refused' }, /met nothing: Error: refused/],
  ['holds the neighbour up', { during: { ...QUIET, longestMs: { ...NONE, small: 50_000 } } }, /waited 50000 ms/],
  ['ends the process', { survived: false }, /the process ended/],
  ['leaves the neighbour no turn', { during: { ...QUIET, calls: 0 } }, /sent nothing/],
])('tells of an attack that %s', (_what, different, said) => {
  expect(broken({ ...WHOLE, ...different })).toEqual([expect.stringMatching(said)]);
});
