import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueRow } from '../../house/async-request.ts';
import { Caller } from '../../house/caller.ts';
import { DatabaseProxy } from '../../house/database-proxy.ts';
import { fails, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectRawError } from '../../house/expect-raw-error.ts';
import { freePorts } from '../../house/free-ports.ts';
import { makeGate } from '../../house/gate.ts';
import { ask } from '../../house/graphql.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { newId } from '../../house/ids.ts';
import { type Metrics, readMetrics } from '../../house/metrics.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { rawRequest } from '../../house/raw-request.ts';
import { socketOf } from '../../house/socket.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';
import { WebhookReceiver } from '../../house/webhook-receiver.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../../docs/metrics.md'), 'utf8');
const TOKEN = 'a-token-for-prometheus';
const PROMTOOL = spawnSync('promtool', ['--version']).status === 0;
if (!PROMTOOL) console.log('skipped: promtool is not installed (Debian has it in the package prometheus)');

const proxy = await DatabaseProxy.open();
const receiver = await WebhookReceiver.start();
const [metricsPort = 0, apiPort = 0] = await freePorts(2);
const house = await openHouse({
  proxy,
  engines: { reader: {}, broken: {}, narrow: { concurrency: 1 } },
  env: { ...LOOPBACK_ALLOWED, METRICS_PORT: String(metricsPort), METRICS_TOKEN: TOKEN },
});
const account = await house.account();
const prometheus = new Caller(`http://127.0.0.1:${metricsPort}`, TOKEN);
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

async function scrape(): Promise<Metrics> {
  const { status, text } = await prometheus.get('/metrics');
  expect(status).toBe(200);
  return readMetrics(text);
}

/** Scrapes until the figures of the database, which are read now and then, are as wanted. */
function scraped(what: string, isThere: (metrics: Metrics) => boolean): Promise<Metrics> {
  return until(what, async () => {
    const metrics = await scrape();
    return isThere(metrics) && metrics;
  });
}

/** What a process left behind that died at work. */
async function leaveDeadRun(): Promise<void> {
  const id = await queueRow(house.databaseUrl, account.accountId);
  const owner = newId('att_');
  await runSql(house.databaseUrl, 'delete from queued_request where request_id = $1', [id]);
  await runSql(
    house.databaseUrl,
    `update ocr_request set status = 'processing', lease_owner = $2, starts = 1, fence = 1, started_at = now(),
       lease_expires_at = now() - interval '1 minute' where id = $1`,
    [id, owner],
  );
  await runSql(
    house.databaseUrl,
    `insert into lease_holder (owner, expires_at) values ($1, now() - interval '1 minute')`,
    [owner],
  );
}

describe('/metrics after real requests', () => {
  const gate = makeGate();
  let unanswered: Metrics;
  let metrics: Metrics;

  beforeAll(async () => {
    const trap = proxy.trap('metrics-figures', 'hold');
    unanswered = await scrape();
    await trap.strikes();
    trap.release();
    await leaveDeadRun();
    house.engines.script('reader', () => says('some text'));
    house.engines.script('broken', () => fails(500, 'out of order'));
    house.engines.script('narrow', async () => {
      await gate.opened;
      return says('late');
    });
    const { caller } = account;
    const webhook = { mode: 'async', webhook_url: receiver.at('/well') };
    const missed = { mode: 'async', webhook_url: receiver.at('/ill', { status: 500 }) };
    for (let n = 0; n < 3; n++) expect((await caller.ocr(await pictureBody('reader'))).status).toBe(200);
    expect((await caller.ocr(await pictureBody('broken'))).status).toBe(502);
    expect((await caller.ocr(await pictureBody('reader', webhook))).status).toBe(202);
    expect((await caller.ocr(await pictureBody('reader', missed))).status).toBe(202);
    expect((await caller.ocr(await pictureBody('nothing'))).status).toBe(400);
    expect((await house.stranger.get('/v1/usage')).status).toBe(401);
    expect((await ask(caller, '{ accounts { nodes { id } } }')).codes).toEqual(['insufficient_scope']);
    expect((await ask(caller, '{ nothing }')).codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    await using socket = await socketOf(house.product.url, account.apiKey);
    await socket.answered('{ accounts { nodes { id } } }');
    for (let n = 0; n < 3; n++) {
      expect((await caller.ocr(await pictureBody('narrow', { mode: 'async' }))).status).toBe(202);
    }
    await runSql(
      house.databaseUrl,
      `update attempt set billing = 'pending' where id = (select id from attempt where engine = 'broken' limit 1)`,
      [],
    );
    await runSql(
      house.databaseUrl,
      `insert into doctor_result (at, failed) values (now() - interval '1 hour', array['one check', 'another'])`,
      [],
    );
    await runSql(house.databaseUrl, 'update wallet set owed = 250000000 where account_id = $1', [account.accountId]);
    metrics = await scraped(
      'everything is counted',
      (seen) =>
        seen.value('ocr_leases_lost_total') === 1 &&
        seen.value('ocr_queue_depth', { engine: 'narrow' }) === 2 &&
        seen.value('ocr_webhook_deliveries_total', { outcome: 'failed' }) === 1,
    );
  }, 90_000);

  it('answers the error rate: requests by engine, status and mode', () => {
    const ended = (labels: Record<string, string>) => metrics.value('ocr_requests_total', labels);
    expect(ended({ engine: 'reader', status: 'succeeded', mode: 'sync' })).toBe(3);
    expect(ended({ engine: 'reader', status: 'succeeded', mode: 'async' })).toBe(2);
    expect(ended({ engine: 'broken', status: 'failed', mode: 'sync' })).toBe(1);
    expect(ended({ engine: 'reader', status: 'failed', mode: 'sync' })).toBe(0);
  });

  it('answers the p95: a histogram to the longest that a synchronous request may take', () => {
    const labels = { engine: 'reader', mode: 'sync' };
    expect(metrics.value('ocr_request_seconds_count', labels)).toBe(3);
    expect(metrics.value('ocr_request_seconds_sum', labels)).toBeGreaterThan(0);
    expect(metrics.value('ocr_request_seconds_bucket', { ...labels, le: '215' })).toBe(3);
    expect(metrics.value('ocr_request_seconds_bucket', { ...labels, le: '+Inf' })).toBe(3);
  });

  it('answers what waits, by engine, and for how long', () => {
    expect(metrics.value('ocr_queue_depth', { engine: 'reader' })).toBe(0);
    expect(metrics.value('ocr_queue_oldest_seconds')).toBeGreaterThan(0);
    expect(metrics.value('ocr_documents_bytes')).toBeGreaterThan(100);
    expect([metrics.value('ocr_months_ahead'), metrics.value('ocr_rows_without_month')]).toEqual([3, 0]);
    expect(metrics.value('ocr_requests_running')).toBe(1);
    expect(metrics.value('ocr_database_gauges_age_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('answers what the latest doctor found, and when', () => {
    expect(metrics.value('ocr_doctor_failed_checks')).toBe(2);
    expect(metrics.value('ocr_doctor_age_seconds')).toBeGreaterThan(3600);
  });

  it('answers how engines do', () => {
    const calls = (labels: Record<string, string>) => metrics.value('ocr_engine_calls_total', labels);
    expect(calls({ engine: 'reader', ending: 'ok' })).toBe(5);
    expect(calls({ engine: 'broken', ending: 'failed' })).toBeGreaterThanOrEqual(1);
    expect(metrics.value('ocr_engine_call_seconds_count', { engine: 'reader' })).toBe(5);
    expect(metrics.value('ocr_engine_circuit_open', { engine: 'reader' })).toBe(0);
    expect(metrics.value('ocr_engine_available', { engine: 'reader' })).toBe(1);
  });

  it('answers the money', () => {
    expect(metrics.value('ocr_charged_usd_total', { kind: 'charge' })).toBeCloseTo(0.05, 6);
    expect(metrics.value('ocr_pages_total', { engine: 'reader', state: 'read' })).toBe(5);
    expect(metrics.value('ocr_pending_costs')).toBe(1);
    expect(metrics.value('ocr_owed_usd')).toBeCloseTo(0.25, 6);
  });

  it('answers how webhooks go', () => {
    const deliveries = (outcome: string) => metrics.value('ocr_webhook_deliveries_total', { outcome });
    expect(deliveries('delivered')).toBe(1);
    expect(deliveries('retried')).toBe(3);
    expect(deliveries('skipped')).toBe(0);
    expect(metrics.value('ocr_webhook_oldest_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('counts refused calls by code, whether by REST, GraphQL or a socket', () => {
    const refused = (code: string) => metrics.value('ocr_refusals_total', { code });
    expect(refused('unknown_engine')).toBe(1);
    expect(refused('authentication_error')).toBe(1);
    expect(refused('insufficient_scope')).toBe(2);
    expect(refused('invalid_request')).toBe(1);
    expect(refused('provider_error')).toBe(1);
    expect(refused('rate_limited')).toBe(0);
  });

  it('has labels from fixed lists and the configuration only', () => {
    const labels = new Map<string, Set<string>>();
    for (const sample of metrics.samples) {
      for (const [name, value] of Object.entries(sample.labels)) {
        labels.set(name, (labels.get(name) ?? new Set()).add(value));
      }
    }
    const engines = ['broken', 'narrow', 'other', 'pdf-text', 'reader', 'tesseract'];
    expect([...(labels.get('engine') ?? [])].filter((engine) => !engines.includes(engine))).toEqual([]);
    const text = JSON.stringify([...labels].map(([name, values]) => [name, [...values]]));
    expect(text).not.toContain(account.accountId);
    expect(text).not.toContain(account.apiKey.slice(0, 16));
  });

  it('says what docs/metrics.md says, no name more and none less', () => {
    const documented = [...DOCUMENT.matchAll(/^\| `(\w+)(?:\{([\w,]+)\})?` \| (\w+) \|/gm)].map(([, name, , type]) => ({
      name,
      type,
    }));
    const sorted = (rows: { name?: string | undefined; type?: string | undefined }[]) =>
      rows.map(({ name, type }) => `${name} ${type}`).sort();
    expect(sorted(documented)).toEqual(sorted([...metrics.families]));
  });

  it('names the labels that docs/metrics.md names', () => {
    for (const [, name = '', labels = ''] of DOCUMENT.matchAll(/^\| `(ocr_\w+)\{([\w,]+)\}` \|/gm)) {
      const [sample] = metrics.samples.filter((one) => one.name === name || one.name === `${name}_count`);
      expect(Object.keys(sample?.labels ?? {}).sort(), name).toEqual(labels.split(',').sort());
    }
  });

  it('keeps to the naming rules of Prometheus', () => {
    for (const { name, type, help } of metrics.families) {
      expect(help, name).not.toBe('');
      expect(name).toMatch(/^(ocr|process|nodejs)_[a-z0-9_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name).not.toMatch(/_(count|sum|bucket|gauge|counter|histogram|summary|milliseconds|ms)$/);
    }
    const series = metrics.samples.map(({ name, labels }) => name + JSON.stringify(Object.entries(labels).sort()));
    expect(new Set(series).size).toBe(series.length);
  });

  it.skipIf(!PROMTOOL)('is approved by promtool', async () => {
    const { text } = await prometheus.get('/metrics');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });

  it('does not wait for a database that does not answer, and leaves out what it has not been told', () => {
    expect(unanswered.value('ocr_requests_running')).toBe(0);
    for (const name of ['ocr_pending_costs', 'ocr_queue_depth', 'ocr_database_gauges_age_seconds']) {
      expect(unanswered.value(name), name).toBeNull();
      expect(metrics.value(name), name).not.toBeNull();
    }
  });

  it('answers what it has while the database is away, and how old that is', async () => {
    const before = (await scrape()).value('ocr_database_gauges_age_seconds') ?? 0;
    proxy.goAway();
    try {
      const away = await scraped('the figures have aged', (seen) => {
        return (seen.value('ocr_database_gauges_age_seconds') ?? 0) > before;
      });
      expect(away.value('ocr_pending_costs')).toBe(1);
    } finally {
      proxy.comeBack();
      gate.open();
    }
  });
});

describe('METRICS_PORT and METRICS_TOKEN', () => {
  it('has the figures there alone, and nothing else', async () => {
    expectError(await house.stranger.get('/metrics'), 404, 'not_found');
    expectError(await account.caller.get('/metrics'), 404, 'not_found');
    for (const path of ['/livez', '/readyz', '/v1/engines', '/graphql', '/']) {
      expectError(await prometheus.get(path), 404, 'not_found');
    }
  });

  it.each([
    ['none', undefined],
    ['another one', `Bearer ${TOKEN}x`],
    ['a part of it', `Bearer ${TOKEN.slice(0, -1)}`],
    ['an API key', `Bearer ${account.apiKey}`],
    ['another scheme', `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`],
  ])('asks for the token: %s is 401', async (_case, authorization) => {
    const stranger = new Caller(`http://127.0.0.1:${metricsPort}`);
    const answer = await stranger.get('/metrics', { headers: { authorization } });
    expectError(answer, 401, 'authentication_error');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toContain('ocr_requests_total');
  });

  it('answers what is no HTTP, and a call without Host, with the envelope', async () => {
    for (const line of ['nonsense', 'GET /metrics HTTP/1.1']) {
      const answer = await rawRequest(`http://127.0.0.1:${metricsPort}`, [`${line}\r\n\r\n`]);
      expectRawError(answer, { status: 400, code: 'invalid_request' });
    }
  });

  it('is served by a worker as well, which has no other port then', async () => {
    const [redisPort = 0] = await freePorts(1);
    const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}`, METRICS_PORT: String(apiPort) };
    await using worker = await hostProduct({ databaseUrl: house.databaseUrl, role: 'worker', env });
    expect((await fetch(`${worker.url}/metrics`)).status).toBe(404);
    const answer = await fetch(`http://127.0.0.1:${apiPort}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(readMetrics(await answer.text()).value('ocr_requests_running')).toBe(0);
    expect((await fetch(`http://127.0.0.1:${apiPort}/livez`)).status).toBe(404);
  });
});
