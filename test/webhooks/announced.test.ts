import { Ajv } from 'ajv';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { resolvedContract } from '../contract/resolved-contract.ts';
import { queueAsync } from '../house/async-request.ts';
import { cutsShort, type EngineAnswer, fails, refuses, says, silence } from '../house/engine-answers.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse, openOwnHouse } from '../house/house.ts';
import { AT_72_DPI, pdfOfPages, saysItsPage } from '../house/page-sizes.ts';
import { picture } from '../house/pictures.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { verified, WebhookReceiver } from '../house/webhook-receiver.ts';

const house = await openHouse({ engines: { reader: {}, hasty: { timeout_ms: 300 } }, env: LOOPBACK_ALLOWED });
const receiver = await WebhookReceiver.start();
const validate = new Ajv({ strict: false, validateFormats: false }).compile(
  resolvedContract('openapi').components.schemas['OcrCompletedEvent'] ?? {},
);
let account: HouseAccount;
let paths = 0;

beforeEach(async () => {
  house.engines.reset();
  account = await house.account();
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Sends a document and answers the webhook that came of it, verified and within the contract. */
async function announced(engine = 'reader', document?: Buffer, more: { pageCount?: number } = {}) {
  const path = `/hook-${paths++}`;
  const wish = { engine, webhookUrl: receiver.at(path), document: document ?? (await picture()), ...more };
  const id = await queueAsync(house.product, account, wish);
  const [received] = await receiver.gets(path);
  if (!received) throw new Error('no webhook came');
  const { signing_secret } = await house.admin.showAccount(account.accountId);
  const body = verified(received, signing_secret);
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  expect(received.headers['x-service-request-id']).toBe(id);
  expect(body).toMatchObject({ event: 'ocr.completed', request_id: id, timestamp: expect.stringMatching(/Z$/) });
  return body;
}

it('a success is told with its text, pages and cost', async () => {
  house.engines.script('reader', says('Invoice 0042'));
  expect(await announced()).toEqual({
    event: 'ocr.completed',
    request_id: expect.any(String),
    status: 'succeeded',
    engine: 'reader',
    extracted_text: 'Invoice 0042',
    extracted_text_preview: 'Invoice 0042',
    cost_usd: 0.01,
    provider_latency_ms: expect.any(Number),
    provider_error: null,
    pages: 1,
    pages_total: 1,
    warning: null,
    timestamp: expect.any(String),
  });
});

it('warnings are told on a success that has some, with the length of the document', async () => {
  house.engines.script('reader', saysItsPage);
  const body = await announced('reader', pdfOfPages(3), { pageCount: 2 });
  expect(body).toMatchObject({ status: 'succeeded', pages: 2, pages_total: 3, cost_usd: 0.02 });
  expect(body['warnings']).toEqual([expect.stringMatching(/3 pages/)]);
});

it('a text that fits the preview is whole, a longer one is absent and only previewed', async () => {
  const fitting = 'x'.repeat(1999).concat('y');
  house.engines.script('reader', says(fitting));
  expect(await announced()).toMatchObject({ extracted_text: fitting, extracted_text_preview: fitting });
  const long = Array.from({ length: 500 }, (_, n) => `Row ${n} ${(n * 7919) % 613}`).join('\n');
  house.engines.script('reader', says(long));
  const preview = long.slice(0, 2000);
  expect(await announced()).toMatchObject({
    status: 'succeeded',
    extracted_text: null,
    extracted_text_preview: preview,
  });
});

it('a partial result is told with its preview, and without pages', async () => {
  const text = Array.from({ length: 100 }, (_, n) => `Row ${n} ${(n * 7919) % 613}`).join('\n');
  house.engines.script('reader', cutsShort(text));
  const body = await announced();
  expect(body).toMatchObject({ status: 'partial', extracted_text: null, cost_usd: 0.004 });
  expect(text.startsWith(String(body['extracted_text_preview']).trimEnd())).toBe(true);
  expect(body['warning']).toMatch(/\S/);
  for (const field of ['pages', 'pages_total', 'warnings']) expect(body).not.toHaveProperty(field);
});

it('a refusal is refunded, and the warning of a charged one says what was charged', async () => {
  house.engines.script('reader', refuses('I will not read this.'));
  const body = await announced();
  expect(body).toMatchObject({
    status: 'refunded',
    extracted_text: null,
    extracted_text_preview: null,
    cost_usd: 0.004,
    provider_error: expect.stringMatching(/\S/),
    warning: expect.stringMatching(/provider’s cost.*not the full price/),
  });
  for (const field of ['pages', 'pages_total', 'warnings']) expect(body).not.toHaveProperty(field);
});

it('a failure that nobody billed is refunded at no cost, without a warning', async () => {
  house.engines.script('reader', fails(500, 'broken'));
  expect(await announced()).toMatchObject({
    status: 'refunded',
    cost_usd: 0,
    warning: null,
    provider_error: expect.stringMatching(/\S/),
  });
});

it('a timeout is refunded', async () => {
  house.engines.script('hasty', silence);
  expect(await announced('hasty')).toMatchObject({ status: 'refunded', engine: 'hasty', extracted_text: null });
});

it('a document that cannot be read is rejected, which is told as refunded at no cost', async () => {
  expect(await announced('reader', Buffer.from('%PDF-1.7 broken'))).toMatchObject({
    status: 'refunded',
    cost_usd: 0,
    provider_error: expect.stringMatching(/\S/),
    provider_latency_ms: null,
  });
  expect(house.engines.calls('reader')).toEqual([]);
});

/** What is told when history is switched off while the engine is at work. */
async function announcedWithoutHistory(answer: EngineAnswer) {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  house.engines.script('reader', async () => {
    await held;
    return answer;
  });
  const told = announced();
  await house.engines.called('reader');
  await house.admin.setHistory(account.accountId, false);
  goOn();
  return told;
}

it('is told also when history was switched off meanwhile, without the text', async () => {
  const told = announcedWithoutHistory(says('secret text'));
  expect(await told).toMatchObject({
    status: 'succeeded',
    extracted_text: null,
    extracted_text_preview: null,
    pages: 1,
  });
});

it('is refunded, and not partial, when what was recovered is not kept', async () => {
  const told = announcedWithoutHistory(cutsShort('secret text'));
  expect(await told).toMatchObject({ status: 'refunded', extracted_text: null, extracted_text_preview: null });
});

it('history that is switched off takes the texts of earlier webhooks with it', async () => {
  house.engines.script('reader', says('secret text'));
  const { request_id: id } = await announced();
  const done = `update webhook_delivery set url = url where request_id = $1 and status = 'delivered'`;
  await until('it is marked', () => runSql(house.product.databaseUrl, done, [id]));
  await house.admin.setHistory(account.accountId, false);
  const kept = `update webhook_delivery set url = url where request_id = $1 and body is not null`;
  expect(await runSql(house.product.databaseUrl, kept, [id])).toBe(0);
});

it('a webhook survives the death of the process that was sending it', async () => {
  await using mortal = await openOwnHouse({ env: LOOPBACK_ALLOWED });
  const owner = await mortal.account();
  const url = receiver.at('/survives', (nth) => (nth === 1 ? 'hang' : { status: 200 }));
  const id = await queueAsync(mortal.product, owner, { webhookUrl: url, document: await picture() });
  await receiver.gets('/survives');
  const { databaseUrl } = mortal.product;
  await mortal.product.kill();
  const expire = `update webhook_delivery set next_attempt_at = now() where request_id = $1`;
  expect(await runSql(databaseUrl, expire, [id])).toBe(1);
  await using _next = await hostProduct({
    engines: [mortal.engines.entry('reader')],
    databaseUrl,
    env: LOOPBACK_ALLOWED,
  });
  const [first, second] = await receiver.gets('/survives', 2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.bytes).toEqual(first?.bytes);
});

it('is retried three times, after half a second, a second, and a second and a half', async () => {
  const url = receiver.at('/schedule', { status: 503 });
  await queueAsync(house.product, account, { webhookUrl: url, document: await picture() });
  const times = (await receiver.gets('/schedule', 4)).map(({ at }) => at);
  // How much longer a busy machine takes says nothing.
  for (const [n, least] of [500, 1000, 1500].entries()) {
    expect((times[n + 1] ?? 0) - (times[n] ?? 0)).toBeGreaterThan(least - 50);
  }
});

it('a synchronous request announces nothing', async () => {
  const { body } = await account.caller.ocr({
    engine: 'reader',
    input: { type: 'base64', data_base64: (await picture()).toString('base64') },
    ...AT_72_DPI,
  });
  const found = `update webhook_delivery set url = url where request_id = $1`;
  expect(await runSql(house.product.databaseUrl, found, [body.request_id])).toBe(0);
});
