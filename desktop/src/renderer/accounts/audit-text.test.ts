import { expect, it } from 'vitest';
import { actionText, auditText } from './audit-text.ts';

it('says what was done and with what', () => {
  const entry = {
    action: 'addCredit',
    details: { usd: 25, accountId: 'a-1', note: null },
    via: 'graphql',
    outcome: 'done',
  };
  expect(auditText(entry)).toBe('Credit added (usd 25, accountId a-1)');
  expect(auditText({ ...entry, subject: 'a-1' })).toBe('Credit added (usd 25)');
});

it('says whether something was switched on or off', () => {
  const entry = { action: 'setEngineEnabled', details: { enabled: false }, outcome: 'done' };
  expect(actionText(entry)).toBe('Engine disabled');
  expect(actionText({ ...entry, details: { enabled: true } })).toBe('Engine enabled');
  expect(actionText({ ...entry, action: 'setHistory', details: { on: false } })).toBe('Keeping of texts switched off');
});

it('says what was not done, what nobody knows the end of, and what came from the server itself', () => {
  const entry = { action: 'engine disable', details: {}, via: 'command line' };
  expect(auditText({ ...entry, outcome: 'not_found' })).toBe(
    'Engine disabled, not done: not_found, by the command line',
  );
  expect(auditText({ ...entry, outcome: null })).toBe('Engine disabled, its end is unknown, by the command line');
  expect(actionText({ ...entry, outcome: 'done' })).toBe('Engine disabled');
  expect(actionText({ ...entry, action: 'not listed', outcome: 'done' })).toBe('not listed');
});
