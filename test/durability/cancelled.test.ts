import { expect, it } from 'vitest';
import type { Row } from './books.ts';
import { brokenCancellation, brokenCancelled } from './cancelled.ts';
import type { LoggedCall } from './provider-process.ts';
import type { Sent } from './sent.ts';

const ENDED_AT = 1_800_000_000_000;
const PRICE = 10_000_000;
const STOPPED = 4_000_000;

/** Three pages: two were read, the call for the third was under way. */
const SENT: Sent = {
  kind: 'large',
  engine: 'flat',
  pages: [1, 2, 3].map((serial) => ({ serial, outcome: 'ok' })),
  key: 'key',
  body: {},
  webhookPath: null,
  cancelAfter: { how: 'cancel', pages: 2, ms: 0 },
  posts: 1,
  told: null,
  cancelledAt: ENDED_AT,
  pagesSeen: 2,
  isDeleted: false,
  failures: [],
};
const ROW: Row = {
  id: 'ocr_1',
  language: 'x-1',
  mode: 'async',
  status: 'partial',
  outcome: 'partial',
  errorCode: null,
  costNanoUsd: 2 * PRICE + STOPPED,
  starts: 1,
  fence: 1,
  isFinished: true,
  isMarked: true,
  isCancelled: true,
  isDeleted: false,
  pages: [
    { number: 1, state: 'read', code: null },
    { number: 2, state: 'read', code: null },
    { number: 3, state: 'failed', code: 'cancelled' },
  ],
  webhookUrl: null,
  createdAt: ENDED_AT - 5000,
  finishedAt: ENDED_AT,
};
const CALLS = [callOf(1), callOf(2), callOf(3, { aborted: true })];

function callOf(serial: number, more: Partial<LoggedCall> = {}): LoggedCall {
  return { call: serial, at: ENDED_AT - 1000, engine: 'flat', serial, outcome: 'ok', billedNanoUsd: PRICE, ...more };
}

it('finds nothing wrong with what is sold by the rule', () => {
  expect(brokenCancelled(ROW, SENT, CALLS, false)).toEqual([]);
  // Of a run that was lost nobody pays the call that was under way.
  expect(brokenCancelled({ ...ROW, fence: 3, costNanoUsd: 2 * PRICE }, SENT, CALLS, false)).toEqual([]);
  expect(brokenCancellation(SENT, ROW)).toEqual([]);
  const settled = { ...ROW, isMarked: false, isCancelled: false };
  expect(brokenCancellation(SENT, settled)).toEqual([]);
  expect(brokenCancellation({ ...SENT, cancelledAt: null }, settled)).toEqual([]);
});

it.each([
  ['a page that was read is given away', { ...ROW, costNanoUsd: PRICE + STOPPED }, CALLS],
  ['a page that was not read is sold', { ...ROW, costNanoUsd: 3 * PRICE }, CALLS],
  ['pages that were read are forgotten', { ...ROW, fence: 3, status: 'failed', costNanoUsd: 0, pages: [] }, CALLS],
  ['a call that was under way is given away', { ...ROW, costNanoUsd: 2 * PRICE }, CALLS],
  ['calls are charged that nobody made', { ...ROW, costNanoUsd: 2 * PRICE + 2 * STOPPED }, CALLS],
  ['a page is sold that no call gave', ROW, CALLS.slice(1)],
  ['a page is read after the end', ROW, [...CALLS, callOf(3, { at: ENDED_AT + 60_000 })]],
  ['nobody has asked for it', { ...ROW, isMarked: false }, CALLS],
])('finds it where %s', (_what, row, calls) => {
  expect(brokenCancelled(row, SENT, calls, false)).not.toEqual([]);
});

it('finds a cancellation that was promised and forgotten, and one that nobody asked for', () => {
  const later = { ...ROW, isMarked: false, isCancelled: false, finishedAt: ENDED_AT + 1 };
  expect(brokenCancellation(SENT, later)).not.toEqual([]);
  expect(brokenCancellation({ ...SENT, cancelAfter: null }, ROW)).not.toEqual([]);
});
