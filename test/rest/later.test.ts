import { afterAll, describe, expect, it } from 'vitest';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

// What the issue about async, batch and large jobs fills: this file goes when that comes.
const house = await openHouse();
afterAll(() => house[Symbol.asyncDispose]());

it('mode async is unavailable, leaves its key free and charges nothing', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const body = await pictureBody();
  const reply = await caller.ocr({ ...body, mode: 'async' }, { key: 'k' });
  expectError(reply, 503, 'engine_unavailable');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 1);
  expect((await caller.ocr(body, { key: 'k' })).status).toBe(200);
});

it('a batch is unavailable and charges nothing', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const body = JSON.stringify({ items: [await pictureBody()] });
  const headers = { 'content-type': 'application/json' };
  const reply = await caller.call('POST', '/v1/ocr/batch', { body, headers });
  expectError(reply, 503, 'engine_unavailable');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await expectBalance(house, accountId, 1);
});

describe.each(['status', 'result'])('GET /v1/ocr/jobs/{job_id}/%s', (part) => {
  it('knows no job', async () => {
    const { caller } = await house.account();
    expectError(await caller.get(`/v1/ocr/jobs/job_00000000000000000000000000/${part}`), 404, 'not_found');
  });
});
