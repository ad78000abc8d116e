import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type OtlpExport, type OtlpSpan, readOtlp } from '../../../../test/house/read-otlp.ts';
import { SilentHandshake } from '../../../../test/house/silent-handshake.ts';
import { until } from '../../../../test/house/until.ts';
import { openTracing } from './open-tracing.ts';
import { annotateSpan, inCallSpan, inSpan, inTrace, noteSpan, openTraceparent, traceHeaders } from './spans.ts';

const collector = createServer(async (request, response) => {
  const exported = readOtlp(await buffer(request));
  exports.push(...exported);
  sent.push(...exported.flatMap(({ spans }) => spans));
  response.writeHead(answers.shift() ?? 200, { 'content-type': 'application/x-protobuf' }).end();
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`; // TCP
afterAll(async () => {
  collector.closeAllConnections();
  await once(collector.close(), 'close');
});

const sent: OtlpSpan[] = [];
const exports: OtlpExport[] = [];
/** Statuses of the answers to come; 200 after them. */
const answers: number[] = [];
beforeEach(() => {
  for (const list of [sent, exports, answers]) list.length = 0;
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

/** What is sent of `work`, in the order in which it ended. */
async function spansOf(work: () => Promise<unknown>, share = 1): Promise<OtlpSpan[]> {
  await using _tracing = await openTracing({ endpoint, headers: null, serviceName: 'test', share }, '1.0.0');
  await work();
  await _tracing[Symbol.asyncDispose]();
  return sent;
}

/** A call with these headers, answered once `handle` is over. */
async function call(headers: IncomingMessage['headers'], handle: () => Promise<void>): Promise<void> {
  const response = {
    statusCode: 200,
    writableFinished: true,
    once: (_name: string, done: () => void) => void ended.push(done),
  };
  const ended: (() => void)[] = [];
  await new Promise<void>((done) => {
    inCallSpan(
      { method: 'POST', headers } as IncomingMessage,
      response as unknown as ServerResponse,
      () => void handle().then(done),
    );
  });
  for (const done of ended) done();
}

const attributesOf = (span: OtlpSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
const ms = (from: string, to: string) => Number(BigInt(to) - BigInt(from)) / 1e6;

it('sends a call and what was done in it as a tree, with times, kinds, attributes and failures', async () => {
  const beganAt = Date.now();
  const [queue, engine, page, root] = await spansOf(() =>
    call({}, async () => {
      annotateSpan({ 'http.route': '/v1/ocr' }, 'POST /v1/ocr');
      noteSpan('queue', new Date(Date.now() - 500));
      const failing = inSpan('page', { attributes: { 'ocr.page': 2 } }, () =>
        inSpan('engine', { kind: 'client' }, async (annotate) => {
          annotate({ 'ocr.ending': 'x'.repeat(300) });
          await sleep(20);
          throw Object.assign(new Error('secret'), { code: 'ECONNRESET' });
        }),
      );
      await failing.catch(() => undefined);
    }),
  );
  expect([root?.name, root?.kind, root?.parentSpanId]).toEqual(['POST /v1/ocr', 2, undefined]);
  expect([page, queue].map((span) => [span?.parentSpanId, span?.traceId])).toEqual([
    [root?.spanId, root?.traceId],
    [root?.spanId, root?.traceId],
  ]);
  expect([engine?.name, engine?.kind, engine?.parentSpanId, engine?.status.code]).toEqual([
    'engine',
    3,
    page?.spanId,
    2,
  ]);
  expect([root?.traceId, root?.spanId]).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    expect.stringMatching(/^[0-9a-f]{16}$/),
  ]);
  expect(attributesOf(root)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/ocr',
    'http.response.status_code': 200,
  });
  expect(attributesOf(engine)).toEqual({ 'ocr.ending': 'x'.repeat(256), 'error.type': 'ECONNRESET' });
  expect(JSON.stringify(sent)).not.toContain('secret');
  const took = ms(engine?.startTimeUnixNano ?? '0', engine?.endTimeUnixNano ?? '0');
  expect(took).toBeGreaterThan(18);
  expect(took).toBeLessThan(2000);
  expect(ms(queue?.startTimeUnixNano ?? '0', queue?.endTimeUnixNano ?? '0')).toBeCloseTo(500, -2);
  expect(Math.abs(Number(root?.startTimeUnixNano) / 1e6 - beganAt)).toBeLessThan(1000);
  expect(ms(root?.startTimeUnixNano ?? '0', engine?.startTimeUnixNano ?? '0')).toBeGreaterThanOrEqual(0);
});

it('goes on with a caller’s trace and state, and with one that was kept', async () => {
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=1' };
  let kept: string | null = null;
  const spans = await spansOf(async () => {
    await call(headers, async () => {
      kept = openTraceparent();
      expect(traceHeaders()).toEqual({ traceparent: kept, tracestate: 'vendor=1' });
    });
    await inTrace(kept, () => inSpan('settle', {}, async () => undefined));
    await inTrace(null, () => inSpan('another', {}, async () => undefined));
  });
  const [root, settle, another] = spans;
  expect([root?.traceId, root?.parentSpanId]).toEqual([TRACE, CALLER]);
  expect([settle?.traceId, settle?.parentSpanId]).toEqual([TRACE, root?.spanId]);
  expect([another?.traceId === TRACE, another?.parentSpanId]).toEqual([false, undefined]);
});

it.each([
  ['the share is none', `00-${TRACE}-${CALLER}-01`, 0],
  ['the caller’s is not recorded', `00-${TRACE}-${CALLER}-00`, 1],
])('sends nothing where %s, and hands the trace on as one that is not recorded', async (_what, traceparent, share) => {
  const seen: (string | undefined)[] = [];
  const spans = await spansOf(
    () =>
      call({ traceparent }, async () => {
        const kept = openTraceparent();
        await inSpan('accept', {}, async () => void seen.push(traceHeaders()['traceparent']));
        await inTrace(kept, () => inSpan('page', {}, async () => void seen.push(traceHeaders()['traceparent'])));
        noteSpan('queue', new Date());
      }),
    share,
  );
  expect(spans).toEqual([]);
  expect(seen).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`)), expect.any(String)]);
});

it('begins a trace of its own for what names none', async () => {
  const spans = await spansOf(async () => {
    for (const traceparent of ['', 'nonsense', `00-${'0'.repeat(32)}-${CALLER}-01`])
      await call({ traceparent }, async () => undefined);
  });
  expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined, undefined]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3);
});

it('has what is done in a leaf beside it, not below', async () => {
  const [leaf, beside, root] = await spansOf(() =>
    call({}, () =>
      inSpan('settle', { isLeaf: true }, (annotate) => {
        annotate({ 'ocr.pages': 1 });
        return inSpan('beside', {}, async () => undefined);
      }),
    ),
  ).then((spans) => ['settle', 'beside', 'POST'].map((name) => spans.find((span) => span.name === name)));
  expect([leaf?.parentSpanId, beside?.parentSpanId]).toEqual([root?.spanId, root?.spanId]);
  expect(attributesOf(leaf)).toEqual({ 'ocr.pages': 1 });
});

it('tells who sends it', async () => {
  await spansOf(() => call({}, async () => undefined));
  const who = exports.map(({ resource }) => resource);
  expect(who).toEqual([
    [
      { key: 'service.name', value: { stringValue: 'test' } },
      { key: 'service.version', value: { stringValue: '1.0.0' } },
    ],
  ]);
});

it('writes letters of all kinds, and more spans than one export holds', async () => {
  const MANY = 3000;
  const engine = 'texte « é » 日本語 😀';
  const spans = await spansOf(async () => {
    for (let each = 0; each < MANY; each++)
      await inSpan('page', { attributes: { 'ocr.engine': engine } }, async () => undefined);
  });
  expect(exports.length).toBeGreaterThan(1);
  expect(spans).toHaveLength(MANY);
  expect(new Set(spans.map((span) => attributesOf(span)['ocr.engine']))).toEqual(new Set([engine]));
});

it('sends again what a busy collector has not taken, and gives up what it refuses', async () => {
  answers.push(503, 400);
  const spans = await spansOf(async () => {
    await inSpan('page', {}, async () => undefined);
    await until('it was sent again', () => sent.length === 2);
  });
  expect(spans.map(({ name }) => name)).toEqual(['page', 'page']);
});

it('waits two seconds at a stop for a collector that no connection comes to', async () => {
  using silent = await SilentHandshake.start();
  const tracing = await openTracing({ endpoint: silent.url, headers: null, serviceName: 'test', share: 1 }, '1.0.0');
  await call({}, async () => undefined);
  await until('a connection is being made', () => silent.hellos.length > 0);
  const began = performance.now();
  await tracing[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(5000); // the connection has ten seconds
});
