import { randomUUID } from 'node:crypto';
import { exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { expectError, expectGraphqlError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

async function session(wish: Parameters<typeof house.account>[0] = {}) {
  const account = await house.account(wish);
  const made = await house.admin.createSession(account.accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(made.cookie);
  return { ...account, token: made.session_token, browser, playground: house.callerWith(made.session_token) };
}

it('reads documents, charged to the account, and reads what was read', async () => {
  const { accountId, playground } = await session({ credit: 1 });
  const reply = await playground.ocr(await pictureBody());
  expect({ status: reply.status, cost: reply.body.cost_debited }).toEqual({ status: 200, cost: 0.01 });
  expect((await playground.get(`/v1/ocr/${reply.body.request_id}`)).status).toBe(200);
  const { body } = await playground.get<{ total_requests: number }>('/v1/usage');
  expect(body.total_requests).toBe(1);
  await expectBalance(house, accountId, 0.99);
});

it('has the limit of the account’s tier, and all logins of an account share one window', async () => {
  const { accountId, playground, caller } = await session({ tier: 'free' });
  const first = await playground.get('/v1/usage');
  expect(first.headers['x-ratelimit-limit']).toBe('60');
  const { session_token } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const second = await house.callerWith(session_token).get('/v1/usage');
  expect(Number(second.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
  expect((await caller.get('/v1/usage')).headers['x-ratelimit-remaining']).toBe('59');
});

it('is renewed by its session', async () => {
  const { browser } = await session();
  const { body } = await browser.graphql<{ data: { renewSessionToken: string } }>('mutation { renewSessionToken }');
  expect((await house.callerWith(body.data.renewSessionToken).get('/v1/usage')).status).toBe(200);
});

it('is no login: it neither manages sessions nor opens the routes of the dashboard', async () => {
  const { token, playground } = await session();
  const { body } = await playground.call<{ errors: { extensions: { code: string } }[] }>('POST', '/graphql', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ sessions { id } }' }),
  });
  expect(body.errors[0]?.extensions.code).toBe('authentication_error');
  const reply = await new Browser(house.product).send(
    'POST',
    '/graphql',
    { query: '{ sessions { id } }' },
    {
      authorization: `Bearer ${token}`,
    },
  );
  expectGraphqlError(reply, 401, 'authentication_error');
});

it('is refused when it is changed, unsigned, signed with another key or another algorithm', async () => {
  const { token, browser } = await session();
  const { keys } = (await browser.get<{ keys: JWK[] }>('/.well-known/jwks.json')).body;
  const [head = '', claims = '', signature = ''] = token.split('.');
  const payload = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const { privateKey } = await generateKeyPair('ES256');
  // The public key as the secret of an HMAC: what a verifier accepts that believes the header.
  const publicText = await exportSPKI((await importJWK(keys[0] ?? {}, 'ES256', { extractable: true })) as never);
  const bad = [
    `${part({ ...header, alg: 'none' })}.${claims}.`,
    `${part({ alg: 'none' })}.${claims}.${signature}`,
    await new SignJWT(payload).setProtectedHeader({ ...header, alg: 'HS256' }).sign(Buffer.from(publicText)),
    await new SignJWT(payload).setProtectedHeader(header).sign(privateKey),
    await new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
    await new SignJWT(payload).setProtectedHeader({ ...header, kid: 'unknown' }).sign(privateKey),
    `${head}.${part({ ...payload, exp: payload.exp + 1 })}.${signature}`,
    `${head}.${part({ ...payload, sub: randomUUID() })}.${signature}`,
    `${head}.${claims}.`,
    'a.b.c',
    '..',
  ];
  for (const text of bad) expectError(await house.callerWith(text).get('/v1/usage'), 401, 'authentication_error');
  expect((await house.callerWith(token).get('/v1/usage')).status).toBe(200);
});

it('of a session that the operator made carries its cookie as name=value', async () => {
  const { accountId } = await house.account();
  const at = (url: string) => house.admin.createSession(accountId, new URL(url));
  expect((await at('http://127.0.0.1:8081')).cookie).toMatch(/^session=[\w-]{43}$/);
  expect((await at('https://dashboard.example.com')).cookie).toMatch(/^__Host-session=[\w-]{43}$/);
  await expect(house.admin.createSession(randomUUID(), new URL('http://127.0.0.1'))).rejects.toMatchObject({
    code: 'not_found',
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
