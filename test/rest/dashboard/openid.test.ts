import { randomUUID } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { Caller } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { CLIENT, OpenIdProvider } from '../../house/openid-provider.ts';
import { runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

const provider = await OpenIdProvider.start();
const house = await openHouse({
  env: { IDP_ISSUER: provider.issuer, IDP_CLIENT_ID: CLIENT.id, IDP_CLIENT_SECRET: CLIENT.secret },
});
const posting = await OpenIdProvider.start('client_secret_post');
const open = await openHouse({
  env: {
    IDP_ISSUER: posting.issuer,
    IDP_CLIENT_ID: CLIENT.id,
    IDP_CLIENT_SECRET: CLIENT.secret,
    IDP_TRUST_EMAIL: 'true',
    REGISTRATION: 'true',
  },
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
  await posting[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.claims = {};
  provider.userInfo = null;
  provider.silent.clear();
  provider.failing.clear();
});

async function person() {
  const email = `${randomUUID()}@example.com`;
  const { account_id: accountId } = await house.admin.createAccount({ email, creditUsd: 1, password: 'not used here' });
  return { email, accountId, sub: randomUUID() };
}

/** Goes to the provider and comes back, as a browser does; `twice`: with the same cookie, as a copy of it would. */
async function goThrough(browser: Browser, change: (back: URL) => void = () => undefined, twice = false) {
  const start = await browser.get('/api/login/start');
  expect(start.status).toBe(303);
  const there = new URL(start.headers['location'] ?? '');
  const answer = await new Caller(there.origin).get(`${there.pathname}${there.search}`);
  const back = new URL(answer.headers['location'] ?? '');
  change(back);
  if (twice) await new Browser(house.product).take(browser.cookie).get(back.pathname + back.search);
  return { there, back, reply: await browser.get(`${back.pathname}${back.search}`) };
}

const MINE = '{ sessions { id } }';

describe('the login at an OpenID provider', () => {
  it('ends in the same session cookie', async () => {
    const { email, sub } = await person();
    provider.person = { sub, email: email.toUpperCase(), email_verified: true };
    const browser = new Browser(house.product);
    const { there, back, reply } = await goThrough(browser);
    expect(there.href).toMatch(`${provider.issuer}/authorize?`);
    expect(there.searchParams.get('code_challenge_method')).toBe('S256');
    expect(back.href).toMatch(`${house.product.dashboardUrl}/api/login/callback?`);
    expect({ status: reply.status, location: reply.headers['location'] }).toEqual({ status: 303, location: '/' });
    expect(reply.headers['set-cookie']).toMatch(/session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax/);
    expect(browser.cookie).toMatch(/^session=[\w-]{43}$/);
    expect((await browser.graphql(MINE)).status).toBe(200);
  });

  it('knows people by their subject once they were here', async () => {
    const { email, sub } = await person();
    provider.person = { sub, email, email_verified: true };
    await goThrough(new Browser(house.product));
    provider.person = { sub, email: 'moved@example.com', email_verified: false };
    const browser = new Browser(house.product);
    await goThrough(browser);
    expect((await browser.graphql(MINE)).status).toBe(200);
  });

  it('believes no e-mail that the provider has not verified', async () => {
    const { email, sub } = await person();
    provider.person = { sub, email, email_verified: false };
    const { reply } = await goThrough(new Browser(house.product));
    expectError(reply, 401, 'authentication_error');
  });

  it('makes no account for strangers', async () => {
    provider.person = { sub: randomUUID(), email: 'stranger@example.com', email_verified: true };
    const browser = new Browser(house.product);
    const { reply } = await goThrough(browser);
    expectError(reply, 401, 'authentication_error');
    expect(browser.cookie).toBe('');
  });

  it('tells operators why it failed, by the id that the person was given', async () => {
    provider.person = { sub: randomUUID(), email: 'stranger@example.com', email_verified: true };
    const { reply } = await goThrough(new Browser(house.product));
    const operator = await house.account({ scopes: ['operator'] });
    const id = reply.headers['x-request-id'];
    const call = await until('the failed login is known', async () => {
      const { data } = await ask<{ refusedCall: object } | null>(
        operator.caller,
        'query ($id: ID!) { refusedCall(id: $id) { status code path accountId message } }',
        { id },
      );
      return data?.refusedCall;
    });
    const { error } = reply.body as { error: { message: string } };
    expect(error.message).toContain((call as { message: string }).message);
    expect(call).toMatchObject({
      status: 401,
      code: 'authentication_error',
      path: '/api/login/callback',
      accountId: null,
    });
  });

  it('makes an account for strangers where the operator allows it, without credit, and once', async () => {
    const [email, sub] = [`${randomUUID()}@example.com`, randomUUID()];
    posting.person = { sub, email, email_verified: true };
    const accounts: unknown[] = [];
    for (let visit = 0; visit < 2; visit++) {
      const browser = new Browser(open.product);
      const { reply } = await goThrough(browser);
      expect(reply.status).toBe(303);
      const mine = await browser.graphql<{ data: { account: unknown } }>(
        '{ account { id email tier balance { available } } }',
      );
      accounts.push(mine.body.data.account);
    }
    expect(accounts[0]).toEqual({ id: expect.any(String), email, tier: 'free', balance: { available: 0 } });
    expect(accounts[1]).toEqual(accounts[0]);
    posting.person = { sub: randomUUID(), email: `${randomUUID()}@example.com`, email_verified: false };
    expectError((await goThrough(new Browser(open.product))).reply, 401, 'authentication_error');
    const byPassword = { email: 'ada@example.com', password: 'correct horse battery staple' };
    expectError(await new Browser(open.product).send('POST', '/api/register', byPassword), 404, 'not_found');
  });

  it('believes an e-mail of which the provider says nothing only where the operator says so, and never a denied one', async () => {
    const unsaid = { sub: randomUUID(), email: `${randomUUID()}@example.com` };
    posting.person = unsaid;
    expect((await goThrough(new Browser(open.product))).reply.status).toBe(303);
    posting.person = { sub: randomUUID(), email: `${randomUUID()}@example.com`, email_verified: false };
    expectError((await goThrough(new Browser(open.product))).reply, 401, 'authentication_error');
    const { email } = await person();
    provider.person = { sub: randomUUID(), email };
    expectError((await goThrough(new Browser(house.product))).reply, 401, 'authentication_error');
  });

  it('takes the e-mail of UserInfo, and not that of another subject', async () => {
    const { email, sub } = await person();
    provider.person = { sub };
    provider.userInfo = { sub: 'another', email, email_verified: true };
    expectError((await goThrough(new Browser(house.product))).reply, 401, 'authentication_error');
    provider.userInfo = { sub, email, email_verified: true };
    expect((await goThrough(new Browser(house.product))).reply.status).toBe(303);
  });

  it.each(['silent', 'failing'] as const)(
    'answers 502 while the provider is %s, and lets people in again after',
    async (how) => {
      const { email, sub } = await person();
      provider.person = { sub, email, email_verified: true };
      provider[how].add('/token');
      const { reply } = await goThrough(new Browser(house.product));
      expectError(reply, 502, 'provider_error');
      provider[how].clear();
      expect((await goThrough(new Browser(house.product))).reply.status).toBe(303);
    },
  );

  it('refuses an answer with another state, in another browser, twice, or with another nonce or audience', async () => {
    const { email, sub } = await person();
    provider.person = { sub, email, email_verified: true };
    const forged = await goThrough(new Browser(house.product), (back) => back.searchParams.set('state', 'forged'));
    expectError(forged.reply, 401, 'authentication_error');
    const browser = new Browser(house.product);
    const { back } = await goThrough(browser);
    expectError(await new Browser(house.product).get(back.pathname + back.search), 401, 'authentication_error');
    expectError(await browser.get(back.pathname + back.search), 401, 'authentication_error');
    const copied = await goThrough(new Browser(house.product), () => undefined, true);
    expectError(copied.reply, 401, 'authentication_error');
    for (const claims of [{ nonce: 'another' }, { aud: 'another' }, { iss: 'https://evil.example' }, { exp: 1 }]) {
      provider.claims = claims;
      expectError((await goThrough(new Browser(house.product))).reply, 401, 'authentication_error');
    }
  });

  it('takes the place of the password', async () => {
    const { email } = await person();
    expectError(await new Browser(house.product).login(email, 'not used here'), 404, 'not_found');
  });
});

describe('a bearer token of the provider', () => {
  it('calls the API for the account of its subject', async () => {
    const { email, sub } = await person();
    const caller = house.callerWith(await provider.token({ sub, email, email_verified: true }));
    expect((await caller.ocr(await pictureBody())).status).toBe(200);
    const again = house.callerWith(await provider.token({ sub }));
    const { status, body } = await again.get<{ total_requests: number }>('/v1/usage');
    expect({ status, requests: body.total_requests }).toEqual({ status: 200, requests: 1 });
  });

  it('opens no account of which nobody has shown whose address it has', async () => {
    const { email, sub, accountId } = await person();
    await runSql(house.databaseUrl, 'update account set email_verified = false where id = $1', [accountId]);
    const token = await provider.token({ sub, email, email_verified: true });
    expectError(await house.callerWith(token).get('/v1/usage'), 401, 'authentication_error');
    await house.admin.setEmail(accountId, email);
    expect((await house.callerWith(token).get('/v1/usage')).status).toBe(200);
  });

  it('is refused for another audience or issuer, when it is over, unsigned, or signed otherwise', async () => {
    const { email, sub } = await person();
    const claims = { sub, email, email_verified: true };
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = await generateKeyPair('ES256');
    const complete = { ...claims, iss: provider.issuer, aud: CLIENT.id, exp: now + 600 };
    const bad = [
      await provider.token(claims, 'another'),
      await provider.token({ ...claims, iss: 'https://evil.example' }),
      await provider.token({ ...claims, exp: now - 3600 }),
      await provider.token({ ...claims, exp: undefined }),
      await provider.token({ ...claims, nbf: now + 3600 }),
      await new SignJWT(complete).setProtectedHeader({ alg: 'ES256', kid: 'provider-1' }).sign(privateKey),
      await new SignJWT(complete).setProtectedHeader({ alg: 'HS256', kid: 'provider-1' }).sign(Buffer.alloc(32, 1)),
      `${part({ alg: 'none', kid: 'provider-1' })}.${part(complete)}.`,
    ];
    for (const token of bad) expectError(await house.callerWith(token).get('/v1/usage'), 401, 'authentication_error');
    expect((await house.callerWith(await provider.token(claims)).get('/v1/usage')).status).toBe(200);
  });

  it('does not make the gateway ask for keys each time it names an unknown one', async () => {
    const { sub } = await person();
    const { privateKey } = await generateKeyPair('ES256');
    const before = provider.keyReads;
    for (let i = 0; i < 20; i++) {
      const token = await new SignJWT({ sub, iss: provider.issuer, aud: CLIENT.id })
        .setProtectedHeader({ alg: 'ES256', kid: `unknown-${i}` })
        .setExpirationTime('5m')
        .sign(privateKey);
      expectError(await house.callerWith(token).get('/v1/usage'), 401, 'authentication_error');
    }
    expect(provider.keyReads - before).toBeLessThanOrEqual(1);
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
