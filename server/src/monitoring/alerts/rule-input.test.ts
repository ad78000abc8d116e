import { expect, it } from 'vitest';
import type { AlertRuleInput } from './alert-rule.ts';
import { writtenRule } from './rule-input.ts';

const GOOD: AlertRuleInput = {
  kind: 'error_rate',
  engineId: null,
  threshold: 0.1,
  severity: 'warning',
  fireAfter: 3,
  recoverAfter: 5,
  cooldownMinutes: 30,
  enabled: true,
};

it('takes a rule, and leaves out what its kind does not have', () => {
  expect(writtenRule(GOOD)).toEqual(GOOD);
  expect(writtenRule({ ...GOOD, kind: 'engine_down', threshold: 7 })).toMatchObject({ threshold: null });
  expect(writtenRule({ ...GOOD, kind: 'owed_usd', engineId: 'reader', threshold: 5 })).toMatchObject({
    engineId: null,
  });
});

it('leaves open how severe a rule is that does not say it', () => {
  const { severity: _, ...unsaid } = GOOD;
  expect(writtenRule(unsaid).severity).toBeNull();
});

it.each([
  ['a share above one', { threshold: 1.1 }, 'threshold: must be 0 to 1.'],
  ['no threshold', { threshold: null }, 'threshold: a rule `error_rate` needs one.'],
  ['no number', { threshold: Number.NaN }, 'threshold: must be 0 to 1.'],
  ['no check', { recoverAfter: 0 }, 'recoverAfter: must be 1 to 120.'],
  ['too long a silence', { cooldownMinutes: 1441 }, 'cooldownMinutes: must be 0 to 1440.'],
  ['an engine of any length', { engineId: 'x'.repeat(201) }, 'engineId: must have 1 to 200 characters.'],
])('refuses %s', (_, change, message) => {
  expect(() => writtenRule({ ...GOOD, ...change })).toThrow(message);
});
