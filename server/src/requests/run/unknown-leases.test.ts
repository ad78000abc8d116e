import { expect, it } from 'vitest';
import { UnknownLeases } from './unknown-leases.ts';

const LEASE = { id: 'ocr_1', fence: 1 };

it('finds a lease that is not run in two answers in a row', () => {
  const strays = new UnknownLeases();
  expect(strays.among([LEASE])).toEqual([]);
  expect(strays.among([LEASE])).toEqual([{ lease: LEASE, wasRun: false }]);
});

it('waits for the claims that were under way when the lease was first seen', () => {
  const strays = new UnknownLeases();
  const claim = strays.begin();
  expect(strays.among([LEASE])).toEqual([]);
  const later = strays.begin();
  expect(strays.among([LEASE])).toEqual([]);
  claim[Symbol.dispose]();
  expect(strays.among([LEASE])).toHaveLength(1);
  later[Symbol.dispose]();
});

it('forgets a lease that has gone, and takes another one of the same request for a new one', () => {
  const strays = new UnknownLeases();
  strays.among([LEASE]);
  strays.among([]);
  expect(strays.among([LEASE])).toEqual([]);
  expect(strays.among([{ ...LEASE, fence: 2 }])).toEqual([]);
});

it('knows which of them was run', () => {
  const strays = new UnknownLeases();
  strays.noteRun('ocr_1:1');
  strays.among([LEASE]);
  expect(strays.among([LEASE])).toEqual([{ lease: LEASE, wasRun: true }]);
});
