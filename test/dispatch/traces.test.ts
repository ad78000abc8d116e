import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { says } from '../house/engine-answers.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { type Product, startProduct } from '../house/product.ts';
import type { OtlpSpan } from '../house/read-otlp.ts';
import { missingRedis, RedisServer } from '../house/redis.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { TraceCollector } from '../house/trace-collector.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const collector = await TraceCollector.start();
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

const SECRET = 'Patient Zero, 4711';
const TRACED = {
  ...LOOPBACK_ALLOWED,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ocr',
};
const PAGES = makePdf([{ text: 'one' }, { text: 'two' }]);

/** What a caller who is traced sends. */
function newTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** Sends two pages to be read asynchronously, with a webhook, as part of the caller's trace. */
async function readTraced(caller: Caller) {
  const mine = newTrace();
  const body = {
    ...ocrBody('reader', PAGES),
    page_count: 2,
    mode: 'async',
    webhook_url: receiver.at(`/${mine.traceId}`),
  };
  const { status, body: accepted } = await caller.ocr(body, { headers: mine.headers });
  expect(status).toBe(202);
  return { ...mine, requestId: accepted.request_id };
}

function expectTree(spans: readonly OtlpSpan[], callerSpanId: string): void {
  const known = new Set([callerSpanId, ...spans.map(({ spanId }) => spanId)]);
  expect(spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
  expect(spans.filter(({ parentSpanId }) => parentSpanId === callerSpanId)).toHaveLength(1);
  const said = JSON.stringify(spans);
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain(receiver.at('/')); // no URL of a caller
}

const attribute = (span: OtlpSpan | undefined, name: string) => span?.attributes.find(({ key }) => key === name)?.value;

describe('the spans of a request', async () => {
  const house = await openHouse({ env: TRACED });
  afterAll(() => house[Symbol.asyncDispose]());

  it('are one tree below the caller’s, which engine and webhook go on with', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', says(SECRET));
    const { traceId, spanId, requestId } = await readTraced(caller);
    const wanted = { 'POST /v1/ocr': 1, document: 1, accept: 1, page: 2, picture: 2, engine: 2, settle: 1, deliver: 1 };
    const spans = await collector.whole(traceId, wanted);
    expect(spans).toHaveLength(11);
    expectTree(spans, spanId);
    const root = spans.find(({ name }) => name === 'POST /v1/ocr');
    expect(attribute(root, 'http.response.status_code')).toEqual({ intValue: 202 });
    expect(attribute(root, 'ocr.request_id')).toEqual({ stringValue: requestId });
    const ids = (name: string) =>
      spans.filter((span) => span.name === name).map((span) => `00-${traceId}-${span.spanId}-01`);
    const called = house.engines.calls('reader').map(({ headers }) => headers['traceparent']);
    expect(called.toSorted()).toEqual(ids('engine').toSorted());
    const [post] = receiver.received(`/${traceId}`);
    expect([post?.headers['traceparent']]).toEqual(ids('deliver'));
    expect(collector.headers.every((headers) => headers['x-tenant'] === 'ocr')).toBe(true);
  });

  it('have an id that operators find with the request, and its owner does not', async () => {
    const { caller } = await house.account();
    const operator = await house.account({ scopes: ['operator', 'ocr:read'] });
    const { traceId, requestId } = await readTraced(caller);
    const query = 'query ($id: ID!) { request(id: $id) { traceId } }';
    const idFor = async (who: Caller) => {
      const body = JSON.stringify({ query, variables: { id: requestId } });
      const answer = await who.call<{ data: { request: { traceId: string | null } } }>('POST', '/graphql', {
        headers: { 'content-type': 'application/json' },
        body,
      });
      return answer.body.data.request.traceId;
    };
    expect(await idFor(operator.caller)).toBe(traceId);
    expect(await idFor(caller)).toBeNull();
  });

  it('begin with GraphQL as well, and with no caller’s trace', async () => {
    const { caller } = await house.account();
    const mine = newTrace();
    const body = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'content-type': 'application/json', ...mine.headers };
    expect((await caller.call('POST', '/graphql', { headers, body })).status).toBe(200);
    expectTree(await collector.whole(mine.traceId, { POST: 1 }), mine.spanId);
  });
});

it('are made of no more calls than their share, whatever a caller’s traceparent says', async () => {
  const env = { ...TRACED, OTEL_TRACES_SAMPLER_ARG: '0' };
  await using untraced = await openHouse({ env });
  const { caller } = await untraced.account();
  untraced.engines.script('reader', says('read'));
  const { traceparent } = newTrace().headers;
  expect((await caller.ocr(ocrBody('reader', PAGES), { headers: { traceparent } })).status).toBe(200);
  const [call] = untraced.engines.calls('reader');
  expect(call?.headers['traceparent']).toMatch(new RegExp(`^${traceparent.slice(0, 36)}[0-9a-f]{16}-00$`));
});

describe('the spans of a request that another process reads', async () => {
  const missing = missingRedis();
  if (missing) {
    console.log(`skipped: ${missing}`);
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const databaseUrl = await createDatabase();
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await RedisServer.start());
  const engines = stack.use(await ScriptedEngines.start());
  const admin = stack.use(await openHouseAdmin(databaseUrl));
  const options = { databaseUrl, engines: [engines.entry('reader')], env: { ...TRACED, REDIS_URL: redis.url } };
  const start = async (role: 'api' | 'worker'): Promise<Product> => stack.use(await startProduct({ ...options, role }));
  const [api] = await Promise.all([start('api'), start('worker')]);
  const opened = stack.move();
  afterAll(() => opened.disposeAsync());

  it('are one tree, with its time in the queue', async () => {
    const { apiKey } = await makeAccount(admin, {});
    const { traceId, spanId } = await readTraced(new Caller(api.url, apiKey));
    const wanted = { 'POST /v1/ocr': 1, accept: 1, queue: 1, document: 2, page: 2, engine: 2, settle: 1, deliver: 1 };
    expectTree(await collector.whole(traceId, wanted), spanId);
  });
});

it('a collector that is away keeps neither a request nor the stop', async () => {
  await using away = await openHouse({
    env: { ...TRACED, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', SHUTDOWN_LIMIT_MS: '1000' },
  });
  const { caller } = await away.account();
  expect((await caller.ocr(ocrBody('reader', PAGES))).status).toBe(200);
  await away.product.stop();
  expect(away.product.logs()).not.toContain('the stop took too long');
});
