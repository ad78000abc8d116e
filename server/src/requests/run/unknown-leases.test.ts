import { expect, it } from 'vitest';
import { UnknownLeases } from './unknown-leases.ts';

const LEASE = { id: 'ocr_1', fence: 1 };

it('finds a lease that is not run in two answers in a row', () => {
  const unknownLeases = new UnknownLeases();
  expect(unknownLeases.among([LEASE])).toEqual([]);
  expect(unknownLeases.among([LEASE])).toEqual([{ lease: LEASE, wasRun: false }]);
});

it('waits for the claims that were under way when the lease was first seen', () => {
  const unknownLeases = new UnknownLeases();
  const claim = unknownLeases.begin();
  expect(unknownLeases.among([LEASE])).toEqual([]);
  const later = unknownLeases.begin();
  expect(unknownLeases.among([LEASE])).toEqual([]);
  claim[Symbol.dispose]();
  expect(unknownLeases.among([LEASE])).toHaveLength(1);
  later[Symbol.dispose]();
});

it('forgets a lease that has gone, and takes another one of the same request for a new one', () => {
  const unknownLeases = new UnknownLeases();
  unknownLeases.among([LEASE]);
  unknownLeases.among([]);
  expect(unknownLeases.among([LEASE])).toEqual([]);
  expect(unknownLeases.among([{ ...LEASE, fence: 2 }])).toEqual([]);
});

it('knows which of them was run', () => {
  const unknownLeases = new UnknownLeases();
  unknownLeases.noteUnfinished(LEASE);
  unknownLeases.among([LEASE]);
  expect(unknownLeases.among([LEASE])).toEqual([{ lease: LEASE, wasRun: true }]);
});
