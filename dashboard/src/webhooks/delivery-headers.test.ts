import { expect, it } from 'vitest';
import { sentHeaders } from './delivery-headers.ts';

const SENT = { id: 'whd_1', requestId: 'ocr_1', attempt: 2, createdAt: '2026-11-23T10:00:00.900Z' };

it('names the headers of an attempt, with the second in which it began', () => {
  expect(sentHeaders(SENT)).toEqual([
    ['content-type', 'application/json'],
    ['user-agent', 'ocr-router'],
    ['x-service-request-id', 'ocr_1'],
    ['webhook-id', 'whd_1'],
    ['webhook-timestamp', '1795428000'],
  ]);
  expect(sentHeaders({ ...SENT, requestId: null }).map(([name]) => name)).not.toContain('x-service-request-id');
});

it('has the id alone before anything was sent', () => {
  expect(sentHeaders({ ...SENT, attempt: 0 })).toEqual([['webhook-id', 'whd_1']]);
});
