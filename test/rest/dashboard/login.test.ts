import { randomUUID } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { expectError, expectGraphqlError } from '../../house/expect-error.ts';
import { storePassword } from '../../house/person.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();

const PASSWORD = 'correct horse battery staple';

async function person() {
  const email = `${randomUUID()}@example.com`;
  const { account_id: accountId } = await house.admin.createAccount({ email, creditUsd: 1 });
  await storePassword(house, accountId, PASSWORD);
  return { email, accountId, browser: new Browser(house.product) };
}

describe('POST /api/login', () => {
  it('opens a session and sets its cookie', async () => {
    const email = `${randomUUID()}@example.com`;
    // Its hash is the service's own.
    const { account_id: accountId } = await house.admin.createAccount({ email, password: PASSWORD });
    const browser = new Browser(house.product);
    const reply = await browser.login(email, PASSWORD);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body).sort()).toEqual(['account_id', 'expires_at', 'session_token']);
    expect(reply.body.account_id).toBe(accountId);
    expect(Date.parse(reply.body.expires_at)).toBeGreaterThan(Date.now());
    expect(reply.body.expires_at).toBe(new Date(reply.body.expires_at).toISOString());
    expect(reply.headers['set-cookie']).toMatch(/^session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(reply.headers['x-api-version']).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(reply.headers['x-request-id']).toMatch(/^req_/);
    expect(reply.headers['cache-control']).toBe('no-store');
    const mine = await browser.graphql<{ data: { sessions: unknown[] } }>('{ sessions { id } }');
    expect(mine.body.data.sessions).toHaveLength(1);
  });

  it('answers with a signed token of at most an hour that the published keys verify', async () => {
    const { email, accountId, browser } = await person();
    const { body } = await browser.login(email, PASSWORD);
    const keys = createRemoteJWKSet(new URL(`${house.product.dashboardUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(body.session_token, keys, { algorithms: ['ES256'] });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload.sub).toBe(accountId);
    expect(payload['sid']).toMatch(/^ses_/);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3600);
  });

  it('does not mind how the e-mail is written', async () => {
    const { email, browser } = await person();
    expect((await browser.login(` ${email.toUpperCase()} `, PASSWORD)).status).toBe(200);
  });

  it('refuses a wrong password, an unknown e-mail and an account without a password alike', async () => {
    const { email, browser } = await person();
    const keyless = `${randomUUID()}@example.com`;
    await house.admin.createAccount({ email: keyless });
    const replies = [
      await browser.login(email, 'wrong'),
      await browser.login('nobody@example.com', PASSWORD),
      await browser.login(keyless, ''.padEnd(8, 'x')),
      await browser.login(`${email}\0`, PASSWORD),
    ];
    for (const reply of replies) {
      expectError(reply, 401, 'authentication_error');
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect(reply.body).toEqual(replies[0]?.body);
    }
  });

  it('refuses a body that is no e-mail and password', async () => {
    const browser = new Browser(house.product);
    for (const body of [{}, { email: 'a@b' }, { email: 1, password: 'x' }, { email: '', password: 'x' }, []]) {
      expectError(await browser.send('POST', '/api/login', body), 400, 'invalid_request');
    }
    const long = { email: 'a@b', password: 'x'.repeat(1001) };
    expectError(await browser.send('POST', '/api/login', long), 400, 'invalid_request');
  });

  it('must come from the dashboard itself', async () => {
    const { email, browser } = await person();
    const body = JSON.stringify({ email, password: PASSWORD });
    const json = { 'content-type': 'application/json' };
    const { origin } = browser;
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${origin}.evil.example` },
      { origin: `${origin}/` },
      { origin: house.product.url },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      const reply = await browser.call('POST', '/api/login', { headers: { ...json, ...headers }, body });
      expectError(reply, 403, 'insufficient_scope');
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    for (const headers of [{ origin }, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[]) {
      const reply = await browser.call('POST', '/api/login', { headers: { ...json, ...headers }, body });
      expect(reply.status).toBe(200);
    }
  });

  it('ends the session that the browser had before', async () => {
    const { email, browser } = await person();
    await browser.login(email, PASSWORD);
    const older = new Browser(house.product).take(browser.cookie);
    await browser.login(email, PASSWORD);
    expect((await browser.graphql('{ sessions { id } }')).status).toBe(200);
    expectGraphqlError(await older.graphql('{ sessions { id } }'), 401, 'authentication_error');
  });

  it('slows down who guesses passwords, the right one included', async () => {
    const { email, browser } = await person();
    const guess = () => browser.login(email, 'wrong');
    const refused = await until('a guess is refused for its number', async () => {
      const reply = await guess();
      return reply.status === 429 && reply;
    });
    expectError(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.body).toMatchObject({ retry_after_seconds: Number(refused.headers['retry-after']) });
    expectError(await browser.login(email, PASSWORD), 429, 'rate_limited');
    const other = await person();
    expect((await other.browser.login(other.email, PASSWORD)).status).toBe(200);
  });

  it('does not count logins that succeed', async () => {
    const { email, browser } = await person();
    for (let i = 0; i < 12; i++) expect((await browser.login(email, PASSWORD)).status).toBe(200);
  });

  it('never writes secrets to the log', async () => {
    const { email, browser } = await person();
    const { body } = await browser.login(email, PASSWORD);
    await browser.login(email, 'wrong-and-secret');
    for (const secret of [PASSWORD, 'wrong-and-secret', body.session_token, browser.cookie]) {
      expect(house.product.logs()).not.toContain(secret);
    }
  });
});

describe('POST /api/logout', () => {
  it('ends the session on the server, with its token, and takes the cookie back', async () => {
    const { email, browser } = await person();
    const { body } = await browser.login(email, PASSWORD);
    const same = new Browser(house.product).take(browser.cookie);
    const reply = await browser.send('POST', '/api/logout');
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 204, text: '' });
    expect(reply.headers['set-cookie']).toMatch(/^session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
    expectGraphqlError(await same.graphql('{ sessions { id } }'), 401, 'authentication_error');
    expectError(await house.callerWith(body.session_token).get('/v1/usage'), 401, 'authentication_error');
  });

  it('does nothing without a session', async () => {
    const browser = new Browser(house.product);
    expect((await browser.send('POST', '/api/logout')).status).toBe(204);
    expect((await browser.take('session=nonsense').send('POST', '/api/logout')).status).toBe(204);
  });

  it('must come from the dashboard itself', async () => {
    const { email, browser } = await person();
    await browser.login(email, PASSWORD);
    const reply = await browser.call('POST', '/api/logout', { headers: { origin: 'https://evil.example' } });
    expectError(reply, 403, 'insufficient_scope');
    expect((await browser.graphql('{ sessions { id } }')).status).toBe(200);
  });

  it('everywhere ends every session of the account, and no other', async () => {
    const { email, browser } = await person();
    await browser.login(email, PASSWORD);
    const second = new Browser(house.product);
    await second.login(email, PASSWORD);
    const other = await person();
    await other.browser.login(other.email, PASSWORD);
    await browser.graphql('mutation { logoutEverywhere }');
    expectGraphqlError(await second.graphql('{ sessions { id } }'), 401, 'authentication_error');
    expect((await other.browser.graphql('{ sessions { id } }')).status).toBe(200);
  });

  it('of one session leaves the others, and other accounts’ alone', async () => {
    const { email, browser } = await person();
    const { body } = await browser.login(email, PASSWORD);
    const stranger = await person();
    await stranger.browser.login(stranger.email, PASSWORD);
    const id = decodeJwt(body.session_token)['sid'];
    await stranger.browser.graphql('mutation ($id: ID!) { revokeSession(id: $id) }', { id });
    expect((await browser.graphql('{ sessions { id } }')).status).toBe(200);
    await browser.graphql('mutation ($id: ID!) { revokeSession(id: $id) }', { id });
    expectGraphqlError(await browser.graphql('{ sessions { id } }'), 401, 'authentication_error');
  });
});

it('a new password from the operator ends every session and the old password', async () => {
  const { email, accountId, browser } = await person();
  await browser.login(email, PASSWORD);
  expect(await house.admin.setPassword(accountId, 'another horse entirely')).toEqual({ account_id: accountId });
  expectGraphqlError(await browser.graphql('{ sessions { id } }'), 401, 'authentication_error');
  expectError(await browser.login(email, PASSWORD), 401, 'authentication_error');
  expect((await browser.login(email, 'another horse entirely')).status).toBe(200);
  await expect(house.admin.setPassword(accountId, 'short')).rejects.toMatchObject({ code: 'invalid_request' });
});

it('a session that is over counts no more, in the cookie and in the token', async () => {
  const { email, accountId, browser } = await person();
  const { body } = await browser.login(email, PASSWORD);
  const sql = `update session set expires_at = now() - interval '1 second' where account_id = $1`;
  expect(await runSql(house.product.databaseUrl, sql, [accountId])).toBe(1);
  expectGraphqlError(await browser.graphql('{ sessions { id } }'), 401, 'authentication_error');
  expectError(await house.callerWith(body.session_token).get('/v1/usage'), 401, 'authentication_error');
});

it('GET /.well-known/jwks.json shows public keys only', async () => {
  const { email, browser } = await person();
  const { session_token } = (await browser.login(email, PASSWORD)).body;
  const { status, body } = await browser.get<{ keys: Record<string, string>[] }>('/.well-known/jwks.json');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['keys']);
  expect(body.keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
  expect(body.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  expect(body.keys[0]?.['kid']).toBe(decodeProtectedHeader(session_token).kid);
});

it('stores no secret of a session as it is', async () => {
  const { email, accountId, browser } = await person();
  await house.admin.setPassword(accountId, PASSWORD);
  await browser.login(email, PASSWORD);
  const secret = browser.cookie.replace('session=', '');
  const sql = `select 1 from session s join account a on a.id = s.account_id
               where a.id = $1 and (s::text like '%' || $2 || '%' or a::text like '%' || $3 || '%')`;
  expect(await runSql(house.product.databaseUrl, sql, [accountId, secret, PASSWORD])).toBe(0);
});
