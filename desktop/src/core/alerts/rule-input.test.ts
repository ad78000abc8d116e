import { expect, it } from 'vitest';
import { parsed } from '../input.ts';
import { QUIET_HOURS, RULE } from './rule-input.ts';

const GOOD = {
  kind: 'error_rate',
  engineId: null,
  threshold: 0.1,
  fireAfter: 3,
  recoverAfter: 5,
  cooldownMinutes: 30,
  enabled: true,
};

it('takes a rule, and leaves out what its kind does not have', () => {
  expect(parsed(RULE, GOOD)).toEqual(GOOD);
  expect(parsed(RULE, { ...GOOD, kind: 'engine_down', threshold: 7 })).toMatchObject({ threshold: null });
  expect(parsed(RULE, { ...GOOD, kind: 'owed_usd', engineId: 'reader', threshold: 5 })).toMatchObject({
    engineId: null,
  });
});

it.each([
  ['another kind', { kind: 'constructor' }],
  ['a share above one', { threshold: 1.1 }],
  ['no threshold', { threshold: null }],
  ['no number', { threshold: Number.NaN }],
  ['half a check', { fireAfter: 1.5 }],
  ['no check', { recoverAfter: 0 }],
  ['an engine that is no text', { engineId: 7 }],
])('refuses %s', (_, change) => {
  expect(() => parsed(RULE, { ...GOOD, ...change })).toThrow();
});

it('takes hours of the day', () => {
  expect(parsed(QUIET_HOURS, { from: '22:00', to: '07:30' })).toEqual({ from: '22:00', to: '07:30' });
  expect(parsed(QUIET_HOURS, { from: '07:00', to: '07:00' })).toBeNull();
  expect(() => parsed(QUIET_HOURS, { from: '24:00', to: '07:00' })).toThrow('HH:MM');
});
