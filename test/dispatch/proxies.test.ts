import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { CADDY } from '../house/caddy.ts';
import { Caller } from '../house/caller.ts';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { makeGate } from '../house/gate.ts';
import { openHouse } from '../house/house.ts';
import { NGINX } from '../house/nginx.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { proxyPorts } from '../house/proxy.ts';
import { Socket, socketOf } from '../house/socket.ts';
import { until } from '../house/until.ts';

const ANONYMOUS_PER_MINUTE = 20;

/** The status of a call without a key, from this address of the machine. */
function strangerAt(localAddress: string, url: string, claims: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': claims };
    const call = request(`${url}/v1/usage`, { localAddress, headers, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    call.on('error', reject).end();
  });
}

describe.each([NGINX, CADDY])('behind $name by the example of the documentation', async (kind) => {
  const missing = kind.missing();
  if (missing) {
    console.log(`skipped: ${missing}`);
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const ports = await proxyPorts();
  const house = await openHouse({
    env: {
      SLOW_RESPONSE_MS: '50',
      SLOW_RESPONSE_BEAT_MS: '50',
      DASHBOARD_URL: `http://127.0.0.1:${ports.dashboard}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ANONYMOUS_PER_MINUTE: String(ANONYMOUS_PER_MINUTE),
    },
  });
  const proxy = await kind.start(house.product, ports);
  const { accountId, apiKey } = await house.account();
  const caller = new Caller(proxy.apiUrl, apiKey);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await house[Symbol.asyncDispose]();
  });

  it('lets the beginning of an early answer through before its end is there', async () => {
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('late');
    });
    const early = await fetch(`${proxy.apiUrl}/v1/ocr`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'early', 'content-type': 'application/json' },
      body: JSON.stringify(await pictureBody()),
    });
    const body = early.body?.getReader();
    const beat = await body?.read();
    expect([
      early.status,
      Buffer.from(beat?.value ?? [])
        .toString()
        .trim(),
    ]).toEqual([202, '']);
    gate.open();
    let text = '';
    for (let part = await body?.read(); part && !part.done; part = await body?.read()) text += Buffer.from(part.value);
    expect(JSON.parse(text)).toMatchObject({ http_status: 200, extracted_text: 'late' });
    house.engines.reset();
  });

  it('takes bodies of 10 MB, and leaves the refusal of larger ones to the service', async () => {
    const body = await pictureBody();
    const padded = (bytes: number) => JSON.stringify(body).padEnd(bytes, ' ');
    const post = (text: string, key: string) =>
      caller.call('POST', '/v1/ocr', {
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: text,
      });
    expect((await post(padded(10_485_760), 'whole')).body).toMatchObject({ status: 'succeeded' });
    expectError(await post(padded(10_485_761), 'more'), 413, 'payload_too_large');
  });

  it('takes documents of up to 50 MB where a searchable PDF is made of them', async () => {
    const body = ocrBody('pdf-text', makePdf([{ text: 'Invoice' }]), { include: ['words'] });
    const { request_id: id } = (await caller.ocr(body)).body;
    const reply = await caller.call('POST', `/v1/ocr/${id}/output?format=pdf`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(50_000_000),
    });
    // The service has compared it with the document of the request, so all of it came through.
    expectError(reply, 400, 'invalid_request', /its bytes differ/);
  });

  it('takes documents of up to 10 MB where the playground shows a page of one', async () => {
    const browser = new Browser({ dashboardUrl: proxy.dashboardUrl });
    browser.take((await house.admin.createSession(accountId, new URL(proxy.dashboardUrl))).cookie);
    const show = (bytes: number) =>
      browser.call('POST', '/api/page-picture', {
        headers: { origin: browser.origin, 'content-type': 'application/pdf' },
        body: Buffer.alloc(bytes, ' '),
      });
    // All of it came through: the service has looked at its content.
    expectError(await show(10_485_760), 422, 'unprocessable_entity');
    expectError(await show(10_485_761), 413, 'payload_too_large');
  });

  it('carries subscriptions at both addresses', async () => {
    await using atApi = await socketOf(proxy.apiUrl, apiKey);
    const { cookie } = await house.admin.createSession(accountId, new URL(proxy.dashboardUrl));
    const browser = new Socket(proxy.dashboardUrl, { cookie, origin: proxy.dashboardUrl });
    await using atDashboard = await browser.enter();
    const operations = [atApi, atDashboard].map((socket) => socket.subscribe('{ changelog { apiVersion } }'));
    await until('both have answered', () => operations.every(({ completed }) => completed));
    expect(operations.map(({ events }) => events.length)).toEqual([1, 1]);
  });

  it('tells the address of the caller, whatever the caller claims', async () => {
    const statuses = [];
    for (let i = 0; i <= ANONYMOUS_PER_MINUTE; i++) {
      statuses.push(await strangerAt('127.0.0.2', proxy.apiUrl, `203.0.113.${i}`));
    }
    expect(statuses).toEqual([...Array.from({ length: ANONYMOUS_PER_MINUTE }, () => 401), 429]);
    expect(await strangerAt('127.0.0.3', proxy.apiUrl, '127.0.0.2')).toBe(401);
  });

  it('lets people sign in', async () => {
    const guess = await fetch(`${proxy.dashboardUrl}/api/login`, {
      method: 'POST',
      headers: { origin: proxy.dashboardUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
    });
    expect(guess.status).toBe(401); // and not 403: the proxy hands on what the origin is judged by
  });

  it('does not show the figures for Prometheus to the world', async () => {
    expect((await fetch(`${proxy.apiUrl}/metrics`)).status).toBe(403);
  });
});
