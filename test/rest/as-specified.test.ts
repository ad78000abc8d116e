import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '../house/caller.ts';
import { refuses, says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { pictureAs } from '../house/pictures.ts';
import { until } from '../house/until.ts';

/**
 * Whoever asks for nothing that was added gets answers as they were specified: each list below is the whole of one, by
 * hand. What `contract/added.ts` names stands in none of them.
 */
const PAGES = 22;
const house = await openHouse({ engines: { reader: { max_pages_per_request: PAGES } } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());
const { caller } = await house.account();

const JSON_HEADERS = [
  ...['access-control-allow-origin', 'access-control-expose-headers', 'content-length', 'content-type'],
  ...['x-api-version', 'x-content-type-options', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  'x-request-id',
];
const ACCEPTED_HEADERS = [...JSON_HEADERS, 'location'];
/** Of the connection, or how Node sends. */
const TRANSPORT = ['connection', 'date', 'keep-alive'];

const APPLIED_SETTINGS = ['language', 'language_native', 'output_format', 'page_count'];
const READ = [
  ...['request_id', 'status', 'engine', 'extracted_text', 'extracted_text_preview', 'pages', 'pages_total'],
  ...['cost_debited', 'provider_latency_ms', 'applied_settings'],
];
const REFUSED = [
  ...['request_id', 'status', 'engine', 'extracted_text', 'pages', 'pages_total', 'warning', 'cost_debited'],
  ...['provider_latency_ms', 'provider_error', 'applied_settings'],
];
const IN_FLIGHT = ['request_id', 'status', 'engine', 'extracted_text', 'pages_total', 'poll_url', 'cost_debited'];
const JOB = ['job_id', 'request_id', 'status', 'pages_total', 'pages_done', 'pages_failed', 'cost_debited'];
const BATCH = ['batch_id', 'results', 'total_cost_debited'];
const ITEM = [...['index', 'request_id', 'status', 'engine', 'extracted_text', 'cost_debited', 'pages', 'pages_total']];
const REJECTED_ITEM = ['index', 'status', 'extracted_text', 'cost_debited', 'error'];

function expectKeys(body: object | undefined, keys: readonly string[]): void {
  expect(Object.keys(body ?? {}).toSorted()).toEqual(keys.toSorted());
}

function expectWhole<T extends object>({ headers, body }: Reply<T>, keys: readonly string[], names = JSON_HEADERS): T {
  expectKeys(body, keys);
  const found = Object.keys(headers).filter((name) => !TRANSPORT.includes(name));
  expect(found.toSorted()).toEqual(names.toSorted());
  return body;
}

it('what was read, on POST and on GET', async () => {
  const { request_id, applied_settings } = expectWhole(await caller.ocr(await pictureBody()), READ);
  expectKeys(applied_settings, APPLIED_SETTINGS);
  const again = expectWhole(await caller.get(`/v1/ocr/${request_id}`), READ);
  expectKeys(again.applied_settings, APPLIED_SETTINGS);
});

it('what was refused, on POST and on GET', async () => {
  house.engines.script('reader', refuses('I will not read this.'));
  const { request_id } = expectWhole(await caller.ocr(await pictureBody()), REFUSED);
  expectWhole(await caller.get(`/v1/ocr/${request_id}`), REFUSED);
});

it('the items of a batch', async () => {
  const body = JSON.stringify({ items: [await pictureBody(), {}] });
  const headers = { 'content-type': 'application/json' };
  const { results } = expectWhole(
    await caller.call<{ results: object[] }>('POST', '/v1/ocr/batch', { body, headers }),
    BATCH,
  );
  expect(results).toHaveLength(2);
  expectKeys(results[0], ITEM);
  expectKeys(results[1], REJECTED_ITEM);
});

it('a large job: accepted, at work and ended', async () => {
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('a page');
  });
  const jpeg = await pictureAs('jpeg');
  const scan = { size: [100, 80], picture: { jpeg, width: 64, height: 48 } } as const;
  const document = makePdf(Array.from({ length: PAGES }, () => scan));
  const fields = { mode: 'async', page_count: PAGES, settings: { dpi: 72 } };
  const sent = expectWhole(await caller.ocr(ocrBody('reader', document, fields)), IN_FLIGHT, ACCEPTED_HEADERS);
  const status = sent.poll_url ?? '';
  expect(status).toMatch(/^\/v1\/ocr\/jobs\/job_\w+\/status$/);
  expectWhole(await caller.get(status), [...JOB, 'poll_after_ms']);
  expectWhole(await caller.get(`/v1/ocr/${sent.request_id}`), IN_FLIGHT);
  gate.open();
  const ended = await until('the job ends', async () => {
    const reply = await caller.get(status);
    return reply.body.status === 'succeeded' && reply;
  });
  expectWhole(ended, JOB);
  const result = expectWhole(await caller.get(status.replace('/status', '/result')), READ);
  expectKeys(result.applied_settings, [...APPLIED_SETTINGS, 'dpi']);
});
