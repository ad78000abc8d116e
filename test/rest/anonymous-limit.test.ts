import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { Caller, type Reply } from '../house/caller.ts';
import { expectError, expectGraphqlError } from '../house/expect-error.ts';
import { type House, type HouseAccount, openHouse } from '../house/house.ts';
import { unknownKey } from '../house/ids.ts';
import { Socket } from '../house/socket.ts';

const LIMIT = 30;

let house: House;
let owner: HouseAccount;

beforeAll(async () => {
  house = await openHouse({ env: { ANONYMOUS_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '127.0.0.0/8, ::1' } });
  owner = await house.account();
});
afterAll(() => house[Symbol.asyncDispose]());

/** Calls from an address of one's own until it is refused; minutes begin with the first call. */
async function refusedAfter(calls: number, call: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  for (let n = 0; n < calls; n++) expect((await call()).status).not.toBe(429);
  return call();
}

it.each([
  ['/v1/engines/tesseract/latency?hours=720', '192.0.2.1'],
  ['/v1/engines/tesseract/uptime', '192.0.2.2'],
  ['/v1/engines/stats', '192.0.2.3'],
  ['/v1/status', '192.0.2.4'],
  ['/v1/usage', '192.0.2.5'],
  ['/graphiql', '192.0.2.6'],
  ['/openapi.json', '192.0.2.7'],
])('refuses calls without a key above the limit of their address: %s', async (path, address) => {
  const headers = { 'x-forwarded-for': address };
  const refused = await refusedAfter(LIMIT, () => house.stranger.get(path, { headers }));
  expectError(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(Object.keys(refused.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  const other = await house.stranger.get(path, { headers: { 'x-forwarded-for': '198.51.100.1' } });
  expect(other.status).not.toBe(429);
});

it('counts keys that are none, and keeps those that were good before', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.20' };
  expect((await owner.caller.get('/v1/usage', { headers })).status).toBe(200);
  const refused = await refusedAfter(LIMIT, () => house.callerWith(unknownKey()).get('/v1/usage', { headers }));
  expectError(refused, 429, 'rate_limited');
  expectError(await house.callerWith(unknownKey()).get('/v1/usage', { headers }), 429, 'rate_limited');
  expect((await owner.caller.get('/v1/usage', { headers })).status).toBe(200);
  expectGraphqlError(await house.stranger.get('/graphql?query={__typename}', { headers }), 429, 'rate_limited');
});

it('counts a /64 of IPv6 as one', async () => {
  let host = 0;
  const next = () => ({ 'x-forwarded-for': `2001:db8:1:2::${(++host).toString(16)}` });
  const refused = await refusedAfter(LIMIT, () => house.stranger.get('/v1/status', { headers: next() }));
  expectError(refused, 429, 'rate_limited');
  const other = await house.stranger.get('/v1/status', { headers: { 'x-forwarded-for': '2001:db8:1:3::1' } });
  expect(other.status).toBe(200);
});

it('counts sockets whose key is none', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.30' };
  for (let n = 0; n < LIMIT; n++) {
    await using socket = await new Socket(house.product.url, headers).enter({
      authorization: `Bearer ${unknownKey()}`,
    });
    expect(socket.closeCode).toBe(4403);
  }
  expectError(await house.stranger.get('/v1/status', { headers }), 429, 'rate_limited');
});

it('counts strangers at the dashboard’s address', async () => {
  const visitor = new Caller(house.product.dashboardUrl);
  const headers = { 'x-forwarded-for': '192.0.2.40', cookie: 'session=invented' };
  expectError(await refusedAfter(LIMIT, () => visitor.get('/api/front', { headers })), 429, 'rate_limited');
});

it('leaves probes and metrics alone', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.50' };
  await refusedAfter(LIMIT, () => house.stranger.get('/v1/status', { headers }));
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect((await house.stranger.get(path, { headers })).status).toBe(200);
  }
});

it('has nothing to say to a login', async () => {
  const { cookie } = await house.admin.createSession(owner.accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  for (let n = 0; n <= LIMIT; n++) expect((await browser.graphql('{ __typename }')).status).toBe(200);
});
