import { afterAll, describe, expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { freePorts } from '../house/free-ports.ts';
import { makeGate } from '../house/gate.ts';
import { openHouse } from '../house/house.ts';
import { missingNginx, startNginx } from '../house/nginx.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { Socket, socketOf } from '../house/socket.ts';
import { until } from '../house/until.ts';

const missing = missingNginx();
if (missing) console.log(`skipped: ${missing}`);

describe('behind nginx by the example of the documentation', async () => {
  if (missing) {
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const [api = 0, dashboard = 0] = await freePorts(2);
  const house = await openHouse({
    env: {
      SLOW_RESPONSE_MS: '50',
      SLOW_RESPONSE_BEAT_MS: '50',
      DASHBOARD_URL: `http://127.0.0.1:${dashboard}`,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  const nginx = await startNginx(house.product, { api, dashboard });
  const { accountId, apiKey } = await house.account();
  const caller = new Caller(nginx.apiUrl, apiKey);
  afterAll(async () => {
    await nginx[Symbol.asyncDispose]();
    await house[Symbol.asyncDispose]();
  });

  it('lets the beginning of an early answer through before its end is there', async () => {
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('late');
    });
    const early = await fetch(`${nginx.apiUrl}/v1/ocr`, {
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

  it('carries subscriptions at both addresses', async () => {
    await using atApi = await socketOf(nginx.apiUrl, apiKey);
    const { cookie } = await house.admin.createSession(accountId, new URL(nginx.dashboardUrl));
    const browser = new Socket(nginx.dashboardUrl, { cookie, origin: nginx.dashboardUrl });
    await using atDashboard = await browser.enter();
    const operations = [atApi, atDashboard].map((socket) => socket.subscribe('{ changelog { apiVersion } }'));
    await until('both have answered', () => operations.every(({ completed }) => completed));
    expect(operations.map(({ events }) => events.length)).toEqual([1, 1]);
  });

  it('lets people sign in', async () => {
    const guess = await fetch(`${nginx.dashboardUrl}/api/login`, {
      method: 'POST',
      headers: { origin: nginx.dashboardUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
    });
    expect(guess.status).toBe(401); // and not 403: nginx hands on what the origin is judged by
  });

  it('does not show the figures for Prometheus to the world', async () => {
    expect((await fetch(`${nginx.apiUrl}/metrics`)).status).toBe(403);
  });
});
