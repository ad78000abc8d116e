import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser, type LoginAnswer } from '../../house/browser.ts';
import type { CallOptions, Reply } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { hostProduct } from '../../house/hosted-product.ts';
import { openHouse } from '../../house/house.ts';
import { type Product } from '../../house/product.ts';
import { ProviderPages } from '../../house/provider-pages.ts';
import { type Setup, STANDARD_CLIENT, StandardProvider, signingKey } from '../../house/standard-provider.ts';
import { until } from '../../house/until.ts';

const provider = await StandardProvider.start();
const house = await openHouse({
  env: {
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: STANDARD_CLIENT.id,
    IDP_CLIENT_SECRET: STANDARD_CLIENT.secret,
    REGISTRATION: 'true',
  },
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const jwks = { keys: await Promise.all(['RS256', 'PS256', 'ES256', 'EdDSA'].map((alg) => signingKey(alg))) };

function configure(change: Omit<Setup, 'dashboardUrl'> = {}): void {
  provider.configure({ dashboardUrl: house.product.dashboardUrl, ...change });
}
beforeEach(() => {
  configure({ more: { jwks } });
  provider.asked.length = 0;
});

/** Somebody at the provider. */
function stranger(known: Record<string, unknown> = {}) {
  const sub = randomUUID();
  const email = `${sub}@example.com`;
  provider.people.set(sub, { email, email_verified: true, ...known });
  return { sub, email };
}

/** Somebody at the provider for whom the operator has made an account. */
async function newPerson(known: Record<string, unknown> = {}) {
  const person = stranger(known);
  const { account_id: accountId } = await house.admin.createAccount({ email: person.email });
  return { ...person, accountId };
}

/** Goes to the provider as `sub` and comes back. */
async function signIn(sub: string, browser = new Browser(house.product), options: CallOptions = {}) {
  const start = await browser.get('/api/login/start');
  expect(start.status).toBe(303);
  const back = await new ProviderPages(provider.issuer).pass(start.headers['location'] ?? '', sub);
  return { browser, back, reply: await browser.get<unknown>(`${back.pathname}${back.search}`, options) };
}

const MINE = '{ account { id email } }';

async function mine(browser: Browser) {
  const { body } = await browser.graphql<{ data: { account: { id: string; email: string } } }>(MINE);
  return body.data.account;
}

const HTML = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

/** The line of the log that a page refers to. */
async function logged(reply: Reply<unknown>): Promise<Record<string, unknown>> {
  const id = reply.headers['x-request-id'] ?? 'no id';
  const line = await until('the log has it', () =>
    house.product
      .logs()
      .split('\n')
      .find((each) => each.includes(id)),
  );
  return JSON.parse(line) as Record<string, unknown>;
}

async function expectPage(reply: Reply<unknown>, status: number, words: RegExp): Promise<void> {
  expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({
    status,
    type: 'text/html; charset=utf-8',
  });
  const policy = reply.headers['content-security-policy'] ?? '';
  const nonce = /style-src 'self' 'nonce-([\w-]+)'/.exec(policy)?.[1];
  expect(policy).toContain("default-src 'none'");
  expect(reply.text).toContain(`<style nonce="${nonce}">`);
  expect(reply.text).not.toMatch(/<script|\sstyle=|\son\w+=/);
  expect(reply.text).toMatch(words);
  expect(reply.text).toContain('<a class="button" href="/">');
  expect(reply.text).toContain(reply.headers['x-request-id']);
  expect(reply.headers['cache-control']).toBe('no-store');
}

describe('the login at oidc-provider', () => {
  it('works with its defaults: RS256, client_secret_basic, the e-mail from UserInfo', async () => {
    configure();
    const { sub, email } = stranger();
    const { browser, reply } = await signIn(sub);
    expect({ status: reply.status, location: reply.headers['location'] }).toEqual({ status: 303, location: '/' });
    expect(await mine(browser)).toMatchObject({ email });
    expect(provider.asked).toContain('/me');
  });

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)('takes ID tokens signed by %s', async (alg) => {
    configure({ client: { id_token_signed_response_alg: alg }, more: { jwks } });
    const { sub, email } = await newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
  });

  it('refuses ID tokens signed with the client secret', async () => {
    configure({
      client: { id_token_signed_response_alg: 'HS256' },
      more: { jwks, enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] } },
    });
    const { reply } = await signIn((await newPerson()).sub);
    expectError(reply, 401, 'authentication_error');
  });

  it('takes the e-mail of the ID token where it has one, and asks for no more', async () => {
    configure({ more: { jwks, conformIdTokenClaims: false } });
    const { sub, email } = await newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
    expect(provider.asked).not.toContain('/me');
  });

  it('takes a new key of the provider at once', async () => {
    await signIn((await newPerson()).sub);
    configure({ more: { jwks: { keys: [await signingKey('RS256')] } } });
    const { sub, email } = await newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
  });

  it('knows people by their subject, whatever becomes of the address, and asks for it no more', async () => {
    const { sub } = await newPerson();
    const first = await mine((await signIn(sub)).browser);
    provider.people.set(sub, { email: 'moved@example.com', email_verified: false });
    provider.asked.length = 0;
    expect(await mine((await signIn(sub)).browser)).toEqual(first);
    expect(provider.asked).not.toContain('/me');
  });

  it('takes "true" for true, as some providers write it', async () => {
    const { sub, email } = await newPerson({ email_verified: 'true' });
    expect(await mine((await signIn(sub)).browser)).toMatchObject({ email });
  });

  it.each([false, undefined, 'false', 1])('believes no e-mail whose email_verified is %s', async (email_verified) => {
    const { reply } = await signIn((await newPerson({ email_verified })).sub);
    expectError(reply, 401, 'authentication_error');
  });
});

describe('a login at oidc-provider that fails', () => {
  async function begin(browser: Browser): Promise<string> {
    return (await browser.get('/api/login/start')).headers['location'] ?? '';
  }

  it('at the provider, where the person presses Cancel', async () => {
    const browser = new Browser(house.product);
    const back = await new ProviderPages(provider.issuer).deny(await begin(browser));
    const reply = await browser.get(`${back.pathname}${back.search}`, HTML);
    await expectPage(reply, 401, /cancelled at the identity provider/);
    expect(await logged(reply)).toMatchObject({
      level: 40,
      reason: 'denied',
      cause: expect.stringContaining('access_denied End-User aborted interaction'),
    });
    expect(browser.cookie).toBe('');
  });

  it('by an e-mail that is not verified', async () => {
    const { back, reply } = await signIn(
      (await newPerson({ email_verified: false })).sub,
      new Browser(house.product),
      HTML,
    );
    await expectPage(reply, 401, /has not verified your e-mail address.*Verify it there, then sign in again\./);
    expect(await logged(reply)).toMatchObject({ reason: 'unverifiedEmail' });
    expect(house.product.logs()).not.toContain(back.searchParams.get('code'));
  });

  it('without an e-mail', async () => {
    const { reply } = await signIn((await newPerson({ email: undefined })).sub, new Browser(house.product), HTML);
    await expectPage(reply, 401, /tells no e-mail address of you/);
    expect(await logged(reply)).toMatchObject({ reason: 'noEmail' });
  });

  it('by a signature with the client secret', async () => {
    configure({
      client: { id_token_signed_response_alg: 'HS256' },
      more: { jwks, enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] } },
    });
    const { reply } = await signIn((await newPerson()).sub, new Browser(house.product), HTML);
    await expectPage(reply, 401, /did not confirm the login/);
    expect(await logged(reply)).toMatchObject({ reason: 'unconfirmed', cause: expect.stringContaining('"alg"') });
  });

  it('by a client secret that the provider does not know', async () => {
    configure({ client: { client_secret: 'another' }, more: { jwks } });
    const { reply } = await signIn((await newPerson()).sub, new Browser(house.product), HTML);
    await expectPage(reply, 502, /Tell the operator/);
    const line = await logged(reply);
    expect(line).toMatchObject({ reason: 'misconfigured', cause: expect.stringContaining('invalid_client') });
    expect(JSON.stringify(line)).not.toContain(STANDARD_CLIENT.secret);
  });

  it('by a state that is another one, an answer that came before, or none', async () => {
    const browser = new Browser(house.product);
    const { sub } = await newPerson();
    const start = await begin(browser);
    const cookie = browser.cookie;
    const back = await new ProviderPages(provider.issuer).pass(start, sub);
    const path = `${back.pathname}${back.search}`;
    const forged = await new Browser(house.product).take(cookie).get(path.replace(/state=[^&]+/, 'state=x'), HTML);
    await expectPage(forged, 401, /does not belong to the login/);
    expect((await browser.get(path, HTML)).status).toBe(303);
    const again = await browser.get(path, HTML);
    await expectPage(again, 401, /took too long, or began in another browser/);
    expect(await logged(again)).toMatchObject({ reason: 'late' });
    const copied = await new Browser(house.product).take(cookie).get(path, HTML);
    await expectPage(copied, 401, /did not confirm the login/);
    expect(await logged(copied)).toMatchObject({
      reason: 'unconfirmed',
      cause: expect.stringContaining('invalid_grant'),
    });
  });

  it('by taking longer than ten minutes', async () => {
    const browser = new Browser(house.product);
    const back = await new ProviderPages(provider.issuer).pass(await begin(browser), (await newPerson()).sub);
    const [name = '', value = ''] = browser.cookie.split('=');
    const [startedAt = '', ...rest] = value.split('.');
    const old = new Browser(house.product).take(`${name}=${[Number(startedAt) - 600_001, ...rest].join('.')}`);
    await expectPage(await old.get(`${back.pathname}${back.search}`, HTML), 401, /took too long/);
  });

  it('as JSON for who wants no page', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const reply = await new Browser(house.product).get('/api/login/callback?code=a&state=b', { headers });
      expectError(reply, 401, 'authentication_error', /took too long/);
    }
  });
});

describe('the logout of a session that began at oidc-provider', () => {
  it('ends it here at once, and says where the login there ends, without an ID token', async () => {
    const { sub } = await newPerson();
    const { browser } = await signIn(sub);
    const { cookie } = browser;
    provider.asked.length = 0;
    const reply = await browser.send('POST', '/api/logout');
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 204, text: '' });
    expect((await new Browser(house.product).take(cookie).graphql(MINE)).status).toBe(401);
    const there = new URL(reply.headers['location'] ?? '');
    expect(there.href).toMatch(`${provider.issuer}/session/end?`);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: STANDARD_CLIENT.id,
      post_logout_redirect_uri: `${house.product.dashboardUrl}/`,
      logout_hint: expect.stringMatching(/\S/),
    });
    expect(provider.asked).toEqual([]);
    const page = await fetch(there);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logout')]);
  });

  it('sends nobody there whose session did not begin there, or who has none', async () => {
    const { accountId } = await newPerson();
    const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
    for (const browser of [new Browser(house.product).take(cookie), new Browser(house.product)]) {
      const reply = await browser.send('POST', '/api/logout');
      expect([reply.status, reply.headers['location']]).toEqual([204, undefined]);
    }
  });
});

describe('an account that was registered with a password before', () => {
  const PASSWORD = 'correct horse battery staple';

  /** Registers as anybody could while people logged in by password: nobody looks whose address it is. */
  async function register(email: string): Promise<string> {
    const reply = await new Browser(former).send<LoginAnswer>('POST', '/api/register', { email, password: PASSWORD });
    expect(reply.status).toBe(200);
    return reply.body.account_id;
  }

  let former: Product;
  beforeAll(async () => {
    former = await hostProduct({ databaseUrl: house.databaseUrl, env: { REGISTRATION: 'true' } });
  });
  afterAll(() => former[Symbol.asyncDispose]());

  const send = (browser: Browser, password: string, headers: Record<string, string> = { origin: browser.origin }) =>
    browser.call('POST', '/api/login/connect', {
      headers: { ...HTML.headers, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ password }).toString(),
    });

  it('is not given to whom the provider vouches for, nor its owner to it, until the operator has looked', async () => {
    const { sub, email } = stranger();
    const squatted = await register(email);
    expectError((await signIn(sub)).reply, 401, 'authentication_error', /nobody has shown that it is yours/);
    const { browser, reply } = await signIn(sub, new Browser(house.product), HTML);
    await expectPage(reply, 401, new RegExp(`There is an account of ${email} here already`));
    await expectPage(await send(browser, 'a guess'), 401, /<p role="alert">The password is wrong.<\/p>/);
    expect(browser.cookie).not.toContain('session=');
    await house.admin.setEmail(squatted, `${randomUUID()}@example.com`);
    const own = await mine((await signIn(sub)).browser);
    expect(own).toMatchObject({ email });
    expect(own.id).not.toBe(squatted);
  });

  it('is connected by its password, once and for all', async () => {
    const { sub, email } = stranger();
    const accountId = await register(email);
    const { browser } = await signIn(sub, new Browser(house.product), HTML);
    const reply = await send(browser, PASSWORD);
    expect({ status: reply.status, location: reply.headers['location'] }).toEqual({ status: 303, location: '/' });
    expect(await mine(browser)).toEqual({ id: accountId, email });
    expect(browser.cookie).toMatch(/^session=[\w-]{43}$/);
    expect(await mine((await signIn(sub)).browser)).toEqual({ id: accountId, email });
    expect(await house.admin.showAccount(accountId)).toMatchObject({ email_verified: true });
  });

  it('is connected by no form of another site, and by none without the login before', async () => {
    const { sub, email } = stranger();
    await register(email);
    const { browser } = await signIn(sub, new Browser(house.product), HTML);
    const elsewhere: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of elsewhere) {
      await expectPage(await send(browser, PASSWORD, headers), 403, /must come from the dashboard itself/);
    }
    for (const cookie of ['connect=x', `connect=${browser.cookie.split('=')[1]?.slice(0, -4)}AAAA`]) {
      await expectPage(await send(new Browser(house.product).take(cookie), PASSWORD), 401, /took too long/);
    }
    await expectPage(await send(new Browser(house.product), PASSWORD), 401, /took too long/);
  });

  it('does not make the cookie of that step a token of the API', async () => {
    const { sub, email } = stranger();
    await register(email);
    const { browser } = await signIn(sub, new Browser(house.product), HTML);
    const token = browser.cookie.split('=')[1] ?? '';
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expectError(await house.callerWith(token).get('/v1/usage'), 401, 'authentication_error');
  });
});

describe('an address that somebody else at the provider has now', () => {
  it('does not open the account of whom it was before, until the operator says so', async () => {
    const { sub, email, accountId } = await newPerson();
    expect((await signIn(sub)).reply.status).toBe(303);
    const next = stranger({ email });
    const { reply } = await signIn(next.sub, new Browser(house.product), HTML);
    await expectPage(reply, 401, /belongs to another login at the identity provider/);
    expect(await logged(reply)).toMatchObject({ reason: 'connected' });
    expect(await house.admin.disconnect(accountId)).toEqual({ account_id: accountId, logins_forgotten: 1 });
    expect(await mine((await signIn(next.sub)).browser)).toEqual({ id: accountId, email });
  });
});
