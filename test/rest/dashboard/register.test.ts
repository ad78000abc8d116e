import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const open = await openHouse({ env: { REGISTRATION: 'true' } });
const closed = await sharedHouse();
afterAll(() => open[Symbol.asyncDispose]());

const PASSWORD = 'correct horse battery staple';
const register = (browser: Browser, email: string, password = PASSWORD) =>
  browser.send<{ account_id: string }>('POST', '/api/register', { email, password });

it('makes an account without credit and logs the browser in', async () => {
  const browser = new Browser(open.product);
  const email = `${randomUUID()}@example.com`;
  const reply = await register(browser, email);
  expect(reply.status, reply.text).toBe(200);
  expect(Object.keys(reply.body).sort()).toEqual(['account_id', 'expires_at', 'session_token']);
  const mine = await browser.graphql<{ data: unknown }>('{ account { id email tier balance { available } } }');
  expect(mine.body.data).toEqual({
    account: { id: reply.body.account_id, email, tier: 'free', balance: { available: 0 } },
  });
  expect((await new Browser(open.product).login(email, PASSWORD)).status).toBe(200);
});

it('refuses an e-mail that has an account, a poor password, and no e-mail at all', async () => {
  const browser = new Browser(open.product);
  const email = `${randomUUID()}@example.com`;
  await register(browser, email);
  for (const [address, password] of [
    [email.toUpperCase(), PASSWORD],
    [`x${email}`, 'too short'],
    ['nobody', PASSWORD],
    ['a\u0000b@example.com', PASSWORD],
  ]) {
    expectError(await register(new Browser(open.product), address ?? '', password), 400, 'invalid_request');
  }
});

it('is 404 where the operator does not allow it, which everybody can know before', async () => {
  expectError(await register(new Browser(closed.product), 'ada@example.com'), 404, 'not_found');
  const front = async (house: typeof open) => (await new Browser(house.product).get('/api/front')).body;
  expect(await front(closed)).toEqual({ login: 'password', registration: false });
  expect(await front(open)).toEqual({ login: 'password', registration: true });
});

it('takes no call of another site', async () => {
  const browser = new Browser(open.product);
  const reply = await browser.send(
    'POST',
    '/api/register',
    { email: 'ada@example.com', password: PASSWORD },
    {
      origin: 'https://elsewhere.example',
    },
  );
  expectError(reply, 403, 'insufficient_scope');
});

it('makes ten accounts from one address in a quarter of an hour', async () => {
  let refused = null;
  for (let n = 0; n < 11 && !refused; n++) {
    const reply = await register(new Browser(open.product), `${randomUUID()}@example.com`);
    if (reply.status !== 200) refused = reply;
  }
  expect(refused?.status).toBe(429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
});
