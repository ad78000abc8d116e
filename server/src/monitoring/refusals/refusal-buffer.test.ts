import { expect, it } from 'vitest';
import type { RefusedCall } from '../../platform/refused-call.ts';
import { RefusalBuffer } from './refusal-buffer.ts';

const AT = new Date('2026-11-22T12:34:56Z');
const CALL: RefusedCall = {
  ...{ requestId: 'req_1', status: 503, code: 'engine_unavailable', message: 'It fails.', method: 'POST' },
  ...{ path: '/v1/ocr', accountId: 'a', keyId: 'key_1', address: null, engine: 'reader' },
};

function buffer() {
  return new RefusalBuffer((id) => id === 'reader');
}

it('counts calls that were refused alike, and keeps each', () => {
  const refusals = buffer();
  refusals.add(CALL, AT);
  refusals.add({ ...CALL, requestId: 'req_2' }, AT);
  refusals.add({ ...CALL, requestId: 'req_3', status: 429, code: 'rate_limited', engine: null }, AT);
  const { counts, calls } = refusals.take();
  expect(counts.map(({ engine, code, calls: many }) => [engine, code, many])).toEqual([
    ['reader', 'engine_unavailable', 2],
    ['', 'rate_limited', 1],
  ]);
  expect(counts[0]).toMatchObject({ hour: new Date('2026-11-22T12:00:00Z'), account_id: 'a', key_id: 'key_1' });
  expect(calls.map(({ requestId }) => requestId)).toEqual(['req_1', 'req_2', 'req_3']);
  expect(refusals.take()).toEqual({ counts: [], calls: [] });
});

it('counts all of a flood in bounded memory, and hides no other party by it', () => {
  const refusals = buffer();
  for (let n = 0; n < 50_000; n++) {
    refusals.add({ ...CALL, accountId: null, keyId: null, status: 401, code: 'authentication_error' }, AT);
  }
  refusals.add({ ...CALL, requestId: 'req_mine' }, AT);
  const { counts, calls } = refusals.take();
  expect(counts.map(({ calls: many }) => many)).toEqual([50_000, 1]);
  expect(calls.length).toBeLessThan(200);
  expect(calls.at(-1)?.requestId).toBe('req_mine');
});

const UNKNOWN = { ...CALL, accountId: null, keyId: null, status: 401, code: 'authentication_error' };

it('takes callers without a key for parties by their addresses, however many they have', () => {
  const refusals = buffer();
  for (let n = 0; n < 500; n++) refusals.add({ ...UNKNOWN, address: '192.0.2.1' }, AT);
  refusals.add({ ...UNKNOWN, requestId: 'req_other', address: '192.0.2.2' }, AT);
  const { calls } = refusals.take();
  expect(calls.at(-1)?.requestId).toBe('req_other');
  for (let n = 0; n < 5000; n++) refusals.add({ ...UNKNOWN, address: `2001:db8:0:${n.toString(16)}::/64` }, AT);
  const parties = new Set(refusals.take().calls.map(({ party }) => party));
  expect(parties.size).toBeLessThanOrEqual(64);
  expect(JSON.stringify(calls)).not.toContain('192.0.2'); // where strangers call from is nothing to store
});

it('has room for who was refused once beside many that flood', () => {
  const refusals = buffer();
  for (let n = 0; n < 30_000; n++) refusals.add({ ...CALL, accountId: `a${n % 150}` }, AT);
  refusals.add({ ...CALL, requestId: 'req_mine', accountId: 'mine' }, AT);
  const { calls } = refusals.take();
  expect(calls.length).toBeLessThanOrEqual(2000);
  expect(new Set(calls.map(({ accountId }) => accountId)).size).toBe(151);
  expect(calls.at(-1)?.requestId).toBe('req_mine');
  // The share is whole again.
  for (let n = 0; n < 200; n++) refusals.add(CALL, AT);
  expect(refusals.take().calls).toHaveLength(100);
});

it('tells so many kinds apart, and counts the others by their code', () => {
  const refusals = buffer();
  for (let n = 0; n < 5000; n++) refusals.add({ ...CALL, accountId: `a${n}` }, AT);
  const { counts } = refusals.take();
  expect(counts.length).toBeLessThanOrEqual(2001);
  expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(5000);
});

it('has no kind for names that callers think of, and nothing that PostgreSQL cannot store', () => {
  const refusals = buffer();
  refusals.add({ ...CALL, engine: 'made up', message: `no "\0\ud800" ${'x'.repeat(9000)}` }, AT);
  const { counts, calls } = refusals.take();
  expect(counts[0]?.engine).toBe('');
  expect(calls[0]?.message).toMatch(/^no "\uFFFD" x+$/);
  expect(calls[0]?.message).toHaveLength(499);
});

it('loses no count that could not be written', () => {
  const refusals = buffer();
  refusals.add(CALL, AT);
  const taken = refusals.take();
  refusals.add(CALL, AT);
  refusals.giveBack(taken);
  const { counts, calls } = refusals.take();
  expect(counts.map(({ calls: many }) => many)).toEqual([2]);
  expect(calls).toHaveLength(2);
});

it('hides no other party by a flood that cannot be written for long', () => {
  const refusals = buffer();
  for (let second = 0; second < 30; second++) {
    const taken = refusals.take();
    for (let n = 0; n < 200; n++) refusals.add({ ...CALL, accountId: 'flood' }, AT);
    refusals.giveBack(taken);
  }
  const taken = refusals.take();
  refusals.add({ ...CALL, requestId: 'req_mine', accountId: 'mine' }, AT);
  refusals.giveBack(taken);
  const { counts, calls } = refusals.take();
  expect(counts.map(({ calls: many }) => many)).toEqual([1, 6000]);
  expect(calls).toHaveLength(101);
  expect(calls.at(-1)?.requestId).toBe('req_mine');
});
