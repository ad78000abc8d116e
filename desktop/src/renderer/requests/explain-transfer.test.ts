import { expect, it } from 'vitest';
import { explainHold, explainTransfer, transferSides } from './explain-transfer.ts';

it('tells a price from a cost passed on, and what was paid from what is owed', () => {
  const charge = { kind: 'charge', debit: 'wallet', credit: 'revenue' };
  expect(explainTransfer(charge)).toBe('The price of the pages, taken from the balance.');
  expect(transferSides(charge)).toBe('wallet → revenue');
  const owed = { kind: 'provider_cost', debit: 'receivable', credit: 'provider_cost', attemptId: 'att_1' };
  expect(explainTransfer(owed)).toBe(
    'A provider’s late bill for a failed attempt, at cost, noted as owed, because the balance did not cover it.',
  );
  expect(transferSides(owed)).toBe('owed → provider cost');
});

it('tells corrections by their direction, refunds, and what is given up', () => {
  const up = { kind: 'adjustment', debit: 'adjustment', credit: 'wallet' };
  expect(explainTransfer(up)).toBe('A correction: added to the balance.');
  expect(transferSides(up)).toBe('correction → wallet');
  const down = { kind: 'adjustment', debit: 'wallet', credit: 'adjustment' };
  expect(explainTransfer(down)).toBe('A correction: taken from the balance.');
  const refund = { kind: 'refund', debit: 'refund', credit: 'wallet' };
  expect([explainTransfer(refund), transferSides(refund)]).toEqual([
    'A refund of what the request was charged.',
    'refunds → wallet',
  ]);
  const writtenOff = { kind: 'written_off', debit: 'revenue', credit: 'receivable' };
  expect([explainTransfer(writtenOff), transferSides(writtenOff)]).toEqual([
    'An owed amount that is not asked for any more: the account came to its end.',
    'revenue → owed',
  ]);
});

it('says what became of the hold', () => {
  expect(explainHold({ status: 'processing', cost: 0, hold: 1 })).toBe('Reserved until the request ends.');
  expect(explainHold({ status: 'failed', cost: 0, hold: 1 })).toBe('All of it was given back.');
  expect(explainHold({ status: 'succeeded', cost: 0.4, hold: 1 })).toBe('The rest of it was given back.');
  expect(explainHold({ status: 'succeeded', cost: 1, hold: 1 })).toBe('All of it was charged.');
  expect(explainHold({ status: 'partial', cost: 2, hold: 1 })).toBe('All of it was charged, and more.');
  expect(explainHold({ status: 'rejected', cost: 0, hold: 0 })).toBe('Nothing was reserved, nothing was charged.');
});
