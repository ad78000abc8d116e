import { expect, it } from 'vitest';
import { ActiveParties } from './active-parties.ts';

it('knows nobody at first, and nobody else while one party calls', () => {
  const parties = new ActiveParties();
  expect(parties.hasOthers('a', 0)).toBe(false);
  parties.note('a', 0);
  parties.note('a', 10);
  expect(parties.hasOthers('a', 11)).toBe(false);
  expect(parties.hasOthers('b', 11)).toBe(true);
});

it('knows another for some seconds, however often a party calls', () => {
  const parties = new ActiveParties();
  parties.note('b', 0);
  for (let at = 1; at < 4000; at += 100) parties.note('a', at);
  expect(parties.hasOthers('a', 4000)).toBe(true);
  expect(parties.hasOthers('a', 5001)).toBe(false);
});
