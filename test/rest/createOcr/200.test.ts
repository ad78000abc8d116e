import { beforeEach, expect, it } from 'vitest';
import { cutsShort, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { blankPicture } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

it('answers a picture with the text that the engine read', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', says('Hello, world.\nSecond line.'));
  const { status, headers, body } = await caller.ocr(await pictureBody());
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(body).toMatchObject({
    status: 'succeeded',
    engine: 'reader',
    extracted_text: 'Hello, world.\nSecond line.',
    extracted_text_preview: 'Hello, world.\nSecond line.',
    pages: 1,
    cost_debited: 0.01,
  });
  expect(body.request_id).toMatch(/^ocr_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(body.provider_latency_ms).toSatisfy(Number.isInteger);
  expect(body.applied_settings).toEqual(expect.any(Object));
});

it('leaves out what does not apply to a success', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  for (const absent of [
    'confidence',
    'http_status',
    'poll_url',
    'pages_failed',
    'warning',
    'provider_error',
    'error',
  ]) {
    expect(body, absent).not.toHaveProperty(absent);
  }
});

it('charges the price of the page once', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const { body } = await caller.ocr(await pictureBody());
  expect(body.cost_debited).toBe(0.01);
  await expectBalance(house, accountId, 0.99);
});

it('keeps the full text and previews its first 2,000 characters', async () => {
  const { caller } = await house.account();
  const lines = Array.from(
    { length: 400 },
    (_, n) => `Item ${n}: ${(n * 7919) % 1000} pieces at ${(n * 104_729) % 977} each`,
  );
  const text = lines.join('\n');
  house.engines.script('reader', says(text));
  const { body } = await caller.ocr(await pictureBody());
  expect(body.extracted_text).toBe(text);
  const preview = body.extracted_text_preview ?? '';
  expect(preview.length).toBeGreaterThan(1000);
  expect(preview.length).toBeLessThanOrEqual(2000);
  expect(text.startsWith(preview.slice(0, 1000))).toBe(true);
});

it('previews 2,000 characters, never half of one, and shows the same when it is asked for again', async () => {
  const { caller } = await house.account();
  const text = `${'a'.repeat(1999)}👍 and more`;
  for (const answer of [says(text), cutsShort(text)]) {
    house.engines.script('reader', answer);
    const { body } = await caller.ocr(await pictureBody());
    expect(body.extracted_text_preview).toBe(`${'a'.repeat(1999)}👍`);
    const again = await caller.get(`/v1/ocr/${body.request_id}`);
    expect(again.body.extracted_text_preview).toBe(body.extracted_text_preview);
  }
});

it('tells a blank page from a failure: it succeeds with empty text and a warning', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', says(''));
  const { status, body } = await caller.ocr(ocrBody('reader', await blankPicture()));
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', extracted_text: '', pages: 1, cost_debited: 0.01 });
  expect(body.warnings?.join('\n')).toMatch(/blank/i);
  await expectBalance(house, accountId, 0.99);
});

it('answers a text that the engine cut short as partial, charged at cost', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', cutsShort('The beginning of a long'));
  const { status, body } = await caller.ocr(await pictureBody());
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'partial',
    extracted_text: null,
    extracted_text_preview: 'The beginning of a long',
    cost_debited: 0.004,
  });
  expect(body.warning).toMatch(/\S/);
  await expectBalance(house, accountId, 0.996);
});

it('ignores unknown fields and names each of them in a warning', async () => {
  const { caller } = await house.account();
  const { status, body } = await caller.ocr(await pictureBody('reader', { colour: 'blue', priority: 3 }));
  expect(status).toBe(200);
  expect(body.warnings?.join('\n')).toContain('colour');
  expect(body.warnings?.join('\n')).toContain('priority');
});

it('accepts a content type with a charset', async () => {
  const { caller } = await house.account();
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect((await caller.ocr(await pictureBody(), { headers })).status).toBe(200);
});

it('flags an exact repeat at the end of what an LLM wrote, and removes nothing', async () => {
  const { caller } = await house.account();
  const block =
    'The goods were delivered on time.\nThe invoice is payable within thirty days.\nThank you for your order.';
  const text = `Order 4711\n\n${block}\n${block}`;
  house.engines.script('reader', says(text));
  const { body } = await caller.ocr(await pictureBody());
  expect(body).toMatchObject({ status: 'succeeded', extracted_text: text });
  expect(body.metadata?.['possible_duplicate']).toEqual({ lines: 3, text: block });
  expect(body.metadata?.['warnings']).toEqual([expect.any(String)]);
  expect(body).not.toHaveProperty('warning');
  expect(body).not.toHaveProperty('warnings');
});

it('keeps text in any script as the engine gave it', async () => {
  const { caller } = await house.account();
  const text = '請求書 № 42 — Σύνολο: 1 234,50 €\nمجموع\t🙂';
  house.engines.script('reader', says(text));
  expect((await caller.ocr(await pictureBody())).body.extracted_text).toBe(text);
});
