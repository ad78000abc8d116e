import { expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { Caller } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

const ROUTES = [
  ['GET', '/api/webhooks'],
  ['POST', '/api/webhooks'],
  ['PATCH', '/api/webhooks/wh_01M7W83120ATTJYDYBF00QV49E'],
  ['DELETE', '/api/webhooks/wh_01M7W83120ATTJYDYBF00QV49E'],
  ['POST', '/api/webhooks/wh_01M7W83120ATTJYDYBF00QV49E/test'],
  ['GET', '/api/webhooks/wh_01M7W83120ATTJYDYBF00QV49E/deliveries'],
] as const;
const CHANGES = ROUTES.filter(([method]) => method !== 'GET');
const JSON_BODY = { 'content-type': 'application/json' };

async function loggedIn() {
  const { accountId, apiKey } = await house.account();
  const { cookie, session_token } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  return { accountId, apiKey, token: session_token, browser: new Browser(house.product).take(cookie) };
}

it.each(ROUTES)('%s %s needs the session cookie: no key and no token opens it', async (method, path) => {
  const { apiKey, token } = await loggedIn();
  for (const credentials of [null, apiKey, token]) {
    const caller = new Caller(house.product.dashboardUrl, credentials);
    const body = method === 'POST' || method === 'PATCH' ? { body: '{}', headers: JSON_BODY } : {};
    expectError(await caller.call(method, path, body), 401, 'authentication_error');
    expectError(await caller.call(method, `${path}?api_key=${apiKey}`, body), 401, 'authentication_error');
  }
});

it.each(CHANGES)('%s %s must come from the dashboard itself', async (method, path) => {
  const { browser } = await loggedIn();
  for (const from of [{}, { origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]) {
    const reply = await browser.call(method, path, { headers: { ...JSON_BODY, ...from }, body: '{}' });
    expectError(reply, 403, 'insufficient_scope');
  }
});

it('takes a change that comes from the dashboard itself', async () => {
  const { browser } = await loggedIn();
  const made = await browser.send<{ id: string }>('POST', '/api/webhooks', { url: 'https://example.com/hook' });
  expect(made.status).toBe(201);
  const listed = await browser.get<{ data: { id: string }[] }>('/api/webhooks');
  expect(listed.body.data.map(({ id }) => id)).toEqual([made.body.id]);
  expect((await browser.send('DELETE', `/api/webhooks/${made.body.id}`)).status).toBe(204);
});
