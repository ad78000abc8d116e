import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import type { Reply } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';
import { ProviderPages } from '../../house/provider-pages.ts';
import { type Setup, STANDARD_CLIENT, StandardProvider, signingKey } from '../../house/standard-provider.ts';

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

function newPerson(known: Record<string, unknown> = {}) {
  const sub = randomUUID();
  const email = `${sub}@example.com`;
  provider.people.set(sub, { email, email_verified: true, ...known });
  return { sub, email };
}

/** Goes to the provider as `sub` and comes back. */
async function signIn(sub: string, browser = new Browser(house.product)) {
  const start = await browser.get('/api/login/start');
  expect(start.status).toBe(303);
  const back = await new ProviderPages(provider.issuer).pass(start.headers['location'] ?? '', sub);
  return { browser, back, reply: (await browser.get(`${back.pathname}${back.search}`)) as Reply<unknown> };
}

const MINE = '{ account { id email } }';

async function mine(browser: Browser) {
  const { body } = await browser.graphql<{ data: { account: { id: string; email: string } } }>(MINE);
  return body.data.account;
}

describe('the login at oidc-provider', () => {
  it('works with its defaults: RS256, client_secret_basic, the e-mail from UserInfo', async () => {
    configure();
    const { sub, email } = newPerson();
    const { browser, reply } = await signIn(sub);
    expect({ status: reply.status, location: reply.headers['location'] }).toEqual({ status: 303, location: '/' });
    expect(await mine(browser)).toMatchObject({ email });
    expect(provider.asked).toContain('/me');
  });

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)('takes ID tokens signed by %s', async (alg) => {
    configure({ client: { id_token_signed_response_alg: alg }, more: { jwks } });
    const { sub, email } = newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
  });

  it('refuses ID tokens signed with the client secret', async () => {
    configure({
      client: { id_token_signed_response_alg: 'HS256' },
      more: { jwks, enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] } },
    });
    const { reply } = await signIn(newPerson().sub);
    expectError(reply, 401, 'authentication_error');
  });

  it('takes the e-mail of the ID token where it has one, and asks for no more', async () => {
    configure({ more: { jwks, conformIdTokenClaims: false } });
    const { sub, email } = newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
    expect(provider.asked).not.toContain('/me');
  });

  it('takes a new key of the provider at once', async () => {
    await signIn(newPerson().sub);
    configure({ more: { jwks: { keys: [await signingKey('RS256')] } } });
    const { sub, email } = newPerson();
    const { browser } = await signIn(sub);
    expect(await mine(browser)).toMatchObject({ email });
  });

  it('knows people by their subject, whatever becomes of the address, and asks for it no more', async () => {
    const { sub } = newPerson();
    const first = await mine((await signIn(sub)).browser);
    provider.people.set(sub, { email: 'moved@example.com', email_verified: false });
    provider.asked.length = 0;
    expect(await mine((await signIn(sub)).browser)).toEqual(first);
    expect(provider.asked).not.toContain('/me');
  });

  it('takes "true" for true, as some providers write it', async () => {
    const { sub, email } = newPerson({ email_verified: 'true' });
    expect(await mine((await signIn(sub)).browser)).toMatchObject({ email });
  });

  it.each([false, undefined, 'false', 1])('believes no e-mail whose email_verified is %s', async (email_verified) => {
    const { reply } = await signIn(newPerson({ email_verified }).sub);
    expectError(reply, 401, 'authentication_error');
  });
});
