import { expect, it } from 'vitest';
import { sentHeaders, timestampOf } from './delivery-headers.ts';

const UNSIGNED = { 'content-type': 'application/json', 'webhook-id': 'whd_1', 'webhook-timestamp': '1795428000' };
const HEADERS = { ...UNSIGNED, 'webhook-signature': 'v1,abc' };
const SENT = { id: 'whd_1', attempt: 2, createdAt: '2026-11-23T10:00:01.900Z', headers: HEADERS };

it('shows the headers that were kept with an attempt, as they were sent', () => {
  expect(sentHeaders(SENT)).toEqual(Object.entries(HEADERS));
  expect(timestampOf(SENT)).toBe('1795428000');
  const unsigned = sentHeaders({ ...SENT, headers: UNSIGNED });
  expect(unsigned.slice(0, 3)).toEqual(Object.entries(UNSIGNED));
  expect(unsigned[3]).toEqual(['webhook-signature', expect.stringMatching(/^not kept/)]);
});

it('makes up no header of an attempt that has none', () => {
  const before = { ...SENT, headers: null };
  expect(sentHeaders(before).map(([name]) => name)).toEqual(['webhook-id', 'Other headers']);
  expect(timestampOf(before)).toBe('1795428001');
  expect(sentHeaders({ ...before, attempt: 0 })).toEqual([['webhook-id', 'whd_1']]);
});
