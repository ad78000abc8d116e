import { expect, it } from 'vitest';
import { auditText } from './audit-text.ts';

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

it('says what was not done, what nobody knows the end of, and what came from the server itself', () => {
  const entry = { action: 'engine disable', details: {}, via: 'command line' };
  expect(auditText({ ...entry, outcome: 'not_found' })).toBe(
    'engine disable, not done: not_found, by the command line',
  );
  expect(auditText({ ...entry, outcome: null })).toBe('engine disable, its end is unknown, by the command line');
});
