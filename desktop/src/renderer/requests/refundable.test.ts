import { expect, it } from 'vitest';
import { refundable } from './refundable.ts';

const REQUEST = { finishedAt: '2026-11-21T10:00:00Z', cost: 0.3, transfers: [] };

it('is what was charged, less what was given back', () => {
  expect(refundable(REQUEST)).toBe(0.3);
  const refund = (amount: number) => ({ kind: 'refund', amount });
  expect(refundable({ ...REQUEST, transfers: [{ kind: 'charge', amount: 0.3 }, refund(0.1), refund(0.1)] })).toBe(0.1);
  expect(refundable({ ...REQUEST, transfers: [refund(0.1), refund(0.2)] })).toBe(0);
});

it('is nothing before the end', () => {
  expect(refundable({ ...REQUEST, finishedAt: null })).toBe(0);
});
