import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { Caller } from '../../house/caller.ts';
import { expectError, expectGraphqlError } from '../../house/expect-error.ts';
import { type House, openHouse } from '../../house/house.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const behindTls = await openHouse({ env: { DASHBOARD_URL: 'https://dashboard.example.com' } });
afterAll(() => behindTls[Symbol.asyncDispose]());

async function loggedIn(at: House, address = at.product.dashboardUrl) {
  const { accountId, apiKey } = await at.account();
  const { cookie } = await at.admin.createSession(accountId, new URL(address));
  return { accountId, apiKey, browser: new Browser(at.product).take(cookie) };
}

const QUERY = JSON.stringify({ query: '{ sessions { id } }' });
const JSON_BODY = { 'content-type': 'application/json' };

describe('/graphql of the dashboard', () => {
  it('needs the session cookie; an API key does not open it', async () => {
    const { apiKey, browser } = await loggedIn(house);
    const origin = browser.origin;
    expect((await browser.graphql('{ sessions { id } }')).status).toBe(200);
    const keyed = new Caller(house.product.dashboardUrl, apiKey);
    const reply = await keyed.call('POST', '/graphql', { headers: { ...JSON_BODY, origin }, body: QUERY });
    expectGraphqlError(reply, 401, 'authentication_error');
    expectGraphqlError(await new Browser(house.product).graphql('{ sessions { id } }'), 401, 'authentication_error');
  });

  it('takes no POST from another site', async () => {
    const { browser } = await loggedIn(house);
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await browser.call('POST', '/graphql', { headers: { ...JSON_BODY, ...headers }, body: QUERY });
      expectGraphqlError(reply, 403, 'insufficient_scope');
    }
    const own = { ...JSON_BODY, 'sec-fetch-site': 'same-origin' };
    expect((await browser.call('POST', '/graphql', { headers: own, body: QUERY })).status).toBe(200);
  });

  it('shows an API key nothing of the sessions on the API’s address', async () => {
    const { caller } = await house.account();
    const reply = await caller.call<{ errors: unknown[] }>('POST', '/graphql', { headers: JSON_BODY, body: QUERY });
    expect(reply.body.errors).toEqual([expect.objectContaining({ extensions: { code: 'authentication_error' } })]);
  });

  it('logs nobody in on the API’s address', async () => {
    const { caller } = await house.account();
    const body = JSON.stringify({ query: 'mutation { login(email: "a@b", password: "c") { sessionToken } }' });
    const reply = await caller.call<{ errors: unknown[] }>('POST', '/graphql', { headers: JSON_BODY, body });
    expect(reply.body.errors).toEqual([expect.objectContaining({ extensions: { code: 'invalid_request' } })]);
  });
});

describe('behind https', () => {
  it('sets and takes the cookie with the prefix only', async () => {
    const { accountId, browser } = await loggedIn(behindTls, 'https://dashboard.example.com');
    expect(browser.cookie).toMatch(/^__Host-session=/);
    expect((await browser.get(`/api/usage?user_id=${accountId}`)).status).toBe(200);
    const planted = new Browser(behindTls.product).take(browser.cookie.replace('__Host-', ''));
    expectError(await planted.get(`/api/usage?user_id=${accountId}`), 401, 'authentication_error');
    const reply = await browser.send('POST', '/api/logout', undefined, { origin: 'https://dashboard.example.com' });
    expect(reply.headers['set-cookie']).toBe('__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  it('takes changes from the public address only', async () => {
    const browser = new Browser(behindTls.product);
    expectError(await browser.send('POST', '/api/logout'), 403, 'insufficient_scope');
    const http = { origin: 'http://dashboard.example.com' };
    expectError(await browser.send('POST', '/api/logout', undefined, http), 403, 'insufficient_scope');
    const own = { origin: 'https://dashboard.example.com' };
    expect((await browser.send('POST', '/api/logout', undefined, own)).status).toBe(204);
  });
});

it('tells a key of a wrong method what the right ones are, from wherever it comes', async () => {
  const { accountId, apiKey } = await house.account();
  const keyed = new Caller(house.product.dashboardUrl, apiKey);
  const reply = await keyed.call('POST', `/api/usage?user_id=${accountId}`);
  expectError(reply, 405, 'invalid_request');
  expect(reply.headers).toMatchObject({ allow: 'GET, HEAD' });
});

it('keeps the two addresses apart', async () => {
  const { caller, apiKey, accountId } = await house.account();
  for (const path of ['/api/usage', '/api/webhooks', '/api/login', '/.well-known/jwks.json', '/v1/webhooks']) {
    expectError(await caller.get(`${path}?user_id=${accountId}`), 404, 'not_found');
    expectError(await caller.call('POST', path, { headers: JSON_BODY, body: '{}' }), 404, 'not_found');
  }
  const dashboard = new Caller(house.product.dashboardUrl, apiKey);
  for (const path of ['/v1/ocr', '/v1/engines', '/api/nothing', '/readyz']) {
    expectError(await dashboard.get(path), 404, 'not_found');
  }
});

it('lets pages run nothing but their own, and other sites read nothing', async () => {
  const reply = await new Browser(house.product).get('/.well-known/jwks.json', {
    headers: { origin: 'https://evil.example' },
  });
  expect(reply.headers['content-security-policy']).toMatch(/default-src 'none';script-src 'self';style-src 'self';/);
  expect(reply.headers['content-security-policy']).toMatch(`connect-src 'self' ${house.product.url} ws`);
  expect(reply.headers['content-security-policy']).not.toMatch(/unsafe/);
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(reply.headers['x-frame-options']).toBe('DENY');
  expect(reply.headers['referrer-policy']).toBe('no-referrer');
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
});

it('answers another method with 405 and what is allowed', async () => {
  const { accountId, browser } = await loggedIn(house);
  const reply = await browser.send('POST', `/api/usage?user_id=${accountId}`, {});
  expectError(reply, 405, 'invalid_request');
  expect(reply.headers['allow']).toBe('GET, HEAD');
});
