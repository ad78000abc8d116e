import { afterAll, describe, expect, it } from 'vitest';
import type { EngineEntry } from '../../../server/src/engines/engines-file.ts';
import type { OcrAnswer } from '../../house/answers.ts';
import { Caller, type Reply } from '../../house/caller.ts';
import { DocumentWeb } from '../../house/document-web.ts';
import { refuses, silence } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ask } from '../../house/graphql.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody, urlBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { picture } from '../../house/pictures.ts';
import { until } from '../../house/until.ts';

const BEFORE: Record<string, Partial<EngineEntry>> = {
  reader: {},
  refuser: {},
  slow: { timeout_ms: 300 },
  planned: {},
  fewer: {},
  addressed: {},
  ranged: { page_range: true },
};
/** Without the first three and without the engine for scans; the others take less than they did. */
const AFTER: Record<string, Partial<EngineEntry>> = {
  planned: { model: undefined },
  fewer: { max_pages_per_request: 1 },
  addressed: { accepts: ['url', 'png'] },
  ranged: { page_range: false },
  stays: {},
};

const web = await DocumentWeb.start();
const address = web.put('/a.png', { bytes: await picture() });
const house = await openHouse({ engines: { ...BEFORE, scans: {} }, env: LOOPBACK_ALLOWED });
const { accountId, apiKey, caller: former } = await house.account({ credit: 1 });
house.engines.script('refuser', refuses('No.'));
house.engines.script('slow', silence);

const text = makePdf([{ text: 'Its own text' }, { text: 'and more' }]);
const bodies = {
  succeeded: await pictureBody(),
  'as text': await pictureBody('reader', { output_format: 'text' }),
  refunded: await pictureBody('refuser'),
  timeout: await pictureBody('slow'),
  asynchronous: await pictureBody('reader', { mode: 'async' }),
  'of an engine that is coming soon': await pictureBody('planned'),
  'with more pages than its engine takes now': ocrBody('fewer', text, { page_count: 2 }),
  'of a kind of input that its engine takes no longer': await pictureBody('addressed'),
  'with a range for an engine that knows none any more': ocrBody('ranged', text, { settings: { page_range: '2' } }),
  'with another engine for scans that is gone': ocrBody('pdf-text', text, { fallback_engine: 'scans' }),
  'at an address that is not open any more': urlBody('fewer', address),
  'with a webhook that is not open any more': await pictureBody('fewer', { mode: 'async', webhook_url: address }),
};
type Name = keyof typeof bodies;
const NAMES = Object.keys(bodies) as Name[]; // its own keys

const first = {} as Record<Name, Reply<OcrAnswer>>; // filled here
for (const name of NAMES) first[name] = await bind(name);
const { balance_usd } = await house.admin.showAccount(accountId);
const engines = (of: typeof AFTER) => Object.entries(of).map(([id, more]) => house.engines.entry(id, more));
await house.product.stop();
const product = await hostProduct({ databaseUrl: house.databaseUrl, engines: engines(AFTER) });
const caller = new Caller(product.url, apiKey);
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

/** Sends it under its name as the key, and waits for its end where the answer does not. */
async function bind(name: Name): Promise<Reply<OcrAnswer>> {
  const reply = await former.ocr(bodies[name], { key: name });
  const poll = () => former.get(`/v1/ocr/${reply.body.request_id}`);
  if (reply.headers['location'])
    await until(`${name} has ended`, async () => (await poll()).body.status === 'succeeded');
  return reply;
}

describe('a bound key replays whatever has become of its engine and of the configuration', () => {
  it('a success, a refund and a timeout: the same status and the same body', async () => {
    for (const [name, status] of [
      ['succeeded', 200],
      ['refunded', 202],
      ['timeout', 503],
    ] as const) {
      const replay = await caller.ocr(bodies[name], { key: name });
      expect(first[name].status).toBe(status);
      expect([replay.status, replay.headers['idempotent-replayed']], replay.text).toEqual([status, 'true']);
      expect(replay.body).toEqual(first[name].body);
    }
  });

  it('a text as a text', async () => {
    const replay = await caller.ocr(bodies['as text'], { key: 'as text' });
    expect(replay.headers['content-type']).toMatch(/^text\/plain/);
    expect([replay.status, replay.text]).toEqual([200, 'read by reader']);
  });

  it.each(NAMES.filter((name) => !['as text', 'refunded', 'timeout'].includes(name)))('a request %s', async (name) => {
    const replay = await caller.ocr(bodies[name], { key: name });
    expect([replay.status, replay.headers['idempotent-replayed']], replay.text).toEqual([200, 'true']);
    expect(replay.body).toMatchObject({ request_id: first[name].body.request_id, status: 'succeeded' });
  });

  it('and nothing ran or was charged for it', async () => {
    await expectBalance(house, accountId, balance_usd);
    expect(house.engines.calls('reader')).toHaveLength(3);
  });
});

describe('another request under a bound key', () => {
  it('is 409, also where its engine is gone', async () => {
    for (const name of NAMES) {
      const other = { ...bodies[name], native_settings: { another: true } };
      expectError(await caller.ocr(other, { key: name }), 409, 'idempotency_key_reused');
    }
    const another = { ...bodies.succeeded, engine: 'never-there' };
    expectError(await caller.ocr(another, { key: 'succeeded' }), 409, 'idempotency_key_reused');
  });

  it('is 400 where it is none in itself', async () => {
    const noBase64 = { ...bodies.succeeded, input: { type: 'base64', data_base64: '*' } };
    expect((await caller.ocr(noBase64, { key: 'succeeded' })).status).toBe(400);
    const noRange = { ...bodies.succeeded, settings: { page_range: '2-1' } };
    expect((await caller.ocr(noRange, { key: 'succeeded' })).status).toBe(400);
    const stays = await pictureBody('stays', { settings: { page_range: '2-1' } });
    expectError(await caller.ocr(stays, { key: 'succeeded' }), 400, 'invalid_request', /page_range/);
  });
});

it('a free key is refused as ever', async () => {
  const refusals: Partial<Record<Name, RegExp>> = {
    'of an engine that is coming soon': /^engine: "planned" is coming soon/,
    'with more pages than its engine takes now': /^page_count: engine "fewer" takes 1 to 1 pages/,
    'of a kind of input that its engine takes no longer': /^input\.type: engine "addressed" does not accept/,
    'with a range for an engine that knows none any more': /^settings\.page_range: engine "ranged" does not support/,
    'at an address that is not open any more': /^input\.url: must lead to a public address/,
    'with a webhook that is not open any more': /^webhook_url: must lead to a public address/,
  };
  for (const name of NAMES) {
    const message = refusals[name];
    expectError(await caller.ocr(bodies[name]), 400, message ? 'invalid_request' : 'unknown_engine', message);
  }
});

it('the same holds over GraphQL', async () => {
  const { engine, input } = bodies.succeeded;
  const request = { engine, input: { type: input.type, dataBase64: input.data_base64 } };
  const mutation = `mutation ($request: OcrRequestInput!, $key: String!) {
    submitOcr(request: $request, idempotencyKey: $key) { id replayed }
  }`;
  const { data } = await ask(caller, mutation, { request, key: 'succeeded' });
  const id = first.succeeded.body.request_id;
  expect(data).toEqual({ submitOcr: { id, replayed: true } });
});
