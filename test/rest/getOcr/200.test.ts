import { beforeEach, expect, it } from 'vitest';
import { cutsShort, refuses, says } from '../../house/engine-answers.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

it('a succeeded request reads as it was answered', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', saysItsPage);
  const posted = await caller.ocr(ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, page_count: 2 }));
  const { status, body } = await caller.get(`/v1/ocr/${posted.body.request_id}`);
  expect(status).toBe(200);
  const { request_id, engine, extracted_text, pages, pages_total, warnings, cost_debited } = posted.body;
  expect(body).toMatchObject({ request_id, engine, extracted_text, pages, pages_total, warnings, cost_debited });
  expect(body.status).toBe('succeeded');
  expect(body.extracted_text).toBe('text of page 1\n\n---\n\ntext of page 2');
  expect(body).not.toHaveProperty('http_status');
});

it('a refunded request is failed, never refunded', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('I will not read this.'));
  const posted = await caller.ocr(await pictureBody());
  expect(posted.body.status).toBe('refunded');
  const { status, body } = await caller.get(`/v1/ocr/${posted.body.request_id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'failed', engine: 'reader', cost_debited: 0.004 });
  expect(body.provider_error).toBe(posted.body.provider_error);
});

it('a partial request has its preview and no text', async () => {
  const { caller } = await house.account();
  const text = Array.from({ length: 500 }, (_, n) => `Row ${n} ${(n * 7919) % 613}`).join('\n');
  house.engines.script('reader', cutsShort(text));
  const posted = await caller.ocr(await pictureBody());
  const { body } = await caller.get(`/v1/ocr/${posted.body.request_id}`);
  expect(body).toMatchObject({ status: 'partial', extracted_text: null });
  expect(body.extracted_text_preview?.length).toBeGreaterThan(1000);
  expect(body.extracted_text_preview?.length).toBeLessThanOrEqual(2000);
  expect(body.warning).toMatch(/\S/);
});

it('reading costs nothing, runs nothing, and can be repeated', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const posted = await caller.ocr(await pictureBody());
  const path = `/v1/ocr/${posted.body.request_id}`;
  const first = await caller.get(path);
  const second = await caller.get(path);
  expect(second.body).toEqual(first.body);
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 0.99 });
});

it('takes no Idempotency-Key and is JSON even when text was asked for', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', says('# Heading'));
  await caller.ocr(await pictureBody('reader', { output_format: 'text' }), { key: 'k' });
  const id = (await caller.ocr(await pictureBody(), { key: 'j' })).body.request_id;
  const { headers, body } = await caller.get(`/v1/ocr/${id}`, { headers: { 'idempotency-key': 'k' } });
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(body.extracted_text).toBe('# Heading');
});

it('works with every key of the account that may read', async () => {
  const { accountId, caller } = await house.account();
  const posted = await caller.ocr(await pictureBody());
  const { api_key } = await house.admin.createKey({ accountId, scopes: ['ocr:read'] });
  const { status } = await house.callerWith(api_key).get(`/v1/ocr/${posted.body.request_id}`);
  expect(status).toBe(200);
});
