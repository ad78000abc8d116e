import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import { Caller, type Reply } from '../../house/caller.ts';
import { refuses } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { makeGate } from '../../house/gate.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { runSql } from '../../house/sql.ts';

interface History {
  object: string;
  data: Record<string, unknown>[];
  page: number;
  per_page: number;
  total: number;
  total_cost_usd: number;
}

const house = await sharedHouse('several');
const dashboard = (key: string | null) => new Caller(house.product.dashboardUrl, key);
beforeEach(() => house.engines.reset());

const DAY_MS = 24 * 60 * 60 * 1000;
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** An account whose history is read with its key. */
async function account(wish: Parameters<typeof house.account>[0] = {}) {
  const made = await house.account(wish);
  const read = (more: Record<string, string | undefined> = {}): Promise<Reply<History>> =>
    dashboard(made.apiKey).get<History>(`/api/usage?${new URLSearchParams({ user_id: made.accountId, ...more })}`);
  return { ...made, read };
}

describe('GET /api/usage', () => {
  it('lists the account’s requests, the newest first, with what they cost', async () => {
    const { accountId, read } = await account();
    const { api_key } = await house.admin.createKey({ accountId, label: 'production' });
    const caller = house.callerWith(api_key);
    const first = await caller.ocr(await pictureBody());
    house.engines.script('other', refuses('No.'));
    const second = await caller.ocr(await pictureBody('other'));
    const { status, body, headers } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      data: [
        {
          request_id: second.body.request_id,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          engine: 'other',
          status: 'failed',
          pages: expect.toSatisfy((pages) => pages === null || Number.isInteger(pages)),
          cost_usd: 0.004,
          provider_latency_ms: expect.any(Number),
          mode: 'sync',
          key_label: 'production',
        },
        {
          request_id: first.body.request_id,
          created_at: expect.any(String),
          engine: 'reader',
          status: 'succeeded',
          pages: 1,
          cost_usd: 0.01,
          provider_latency_ms: expect.any(Number),
          mode: 'sync',
          key_label: 'production',
        },
      ],
      page: 1,
      per_page: 50,
      total: 2,
      total_cost_usd: 0.014,
    });
    expect(headers['deprecation']).toBeUndefined();
    expect(headers['x-api-version']).toMatch(/^\d{4}-/);
  });

  it('of a new account is empty', async () => {
    const { read } = await account();
    const expected = { object: 'list', data: [], page: 1, per_page: 50, total: 0, total_cost_usd: 0 };
    expect((await read()).body).toEqual(expected);
  });

  it('shows what is still running, with no pages and no cost', async () => {
    const { caller, read } = await account();
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return refuses('No.');
    });
    const running = caller.ocr(await pictureBody());
    await house.engines.called('reader');
    const { body } = await read();
    expect(body.data).toEqual([
      expect.objectContaining({ status: 'processing', pages: null, cost_usd: 0, provider_latency_ms: null }),
    ]);
    expect(body.data[0]).toHaveProperty('key_label', null);
    gate.open();
    await running;
  });

  it('goes page by page', async () => {
    const { caller, read } = await account();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await caller.ocr(await pictureBody())).body.request_id);
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => read({ page, per_page: '2' })));
    expect(pages.map(({ body }) => body.data.map(({ request_id }) => request_id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [],
    ]);
    for (const [i, { body }] of pages.entries()) {
      expect(body).toMatchObject({ page: i + 1, per_page: 2, total: 5, total_cost_usd: 0.05 });
    }
  });

  it('can be of one engine', async () => {
    const { caller, read } = await account();
    await caller.ocr(await pictureBody());
    await caller.ocr(await pictureBody('other'));
    const { body } = await read({ engine: 'other' });
    expect(body).toMatchObject({ data: [{ engine: 'other' }], total: 1, total_cost_usd: 0.02 });
    expect((await read({ engine: 'nobody' })).body).toMatchObject({ data: [], total: 0 });
    expect((await read({ engine: 'a\0b' })).body).toMatchObject({ data: [], total: 0 });
  });

  it('can be of some days, both included', async () => {
    const { accountId, caller, read } = await account();
    await caller.ocr(await pictureBody());
    await insertOld(accountId, new Date(`${dayAgo(10)}T00:00:00.000Z`));
    await insertOld(accountId, new Date(`${dayAgo(10)}T23:59:59.999Z`));
    await insertOld(accountId, new Date(`${dayAgo(11)}T23:59:59.999Z`));
    const total = async (more: Record<string, string | undefined>) => (await read(more)).body.total;
    expect(await total({})).toBe(4);
    expect(await total({ from: dayAgo(10), to: dayAgo(10) })).toBe(2);
    expect(await total({ from: dayAgo(11), to: dayAgo(10) })).toBe(3);
    expect(await total({ from: dayAgo(9) })).toBe(1);
    expect(await total({ to: dayAgo(1) })).toBe(3);
    expect(await total({ from: dayAgo(0), to: dayAgo(0) })).toBe(1);
    expect(await total({ from: '0001-01-01', to: '9999-12-31' })).toBe(4);
  });

  it('begins 30 days ago when nothing is said', async () => {
    const { accountId, read } = await account();
    await insertOld(accountId, new Date(`${dayAgo(30)}T00:00:00.000Z`));
    await insertOld(accountId, new Date(`${dayAgo(31)}T23:59:59.999Z`));
    expect((await read()).body.total).toBe(1);
    expect((await read({ from: dayAgo(31) })).body.total).toBe(2);
  });

  it.each([
    { from: 'yesterday' },
    { from: '2026-02-30' },
    { from: '' },
    { to: '2026-1-1' },
    { to: '2026-11-20T00:00:00Z' },
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '9999-01-01' },
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'two' },
    { page: '' },
    { page: '99999999999' },
    { per_page: '0' },
    { per_page: '101' },
    { per_page: 'all' },
    { user_id: 'me' },
    { user_id: '' },
  ])('refuses %j', async (more) => {
    const { read } = await account();
    expectError(await read(more), 400, 'invalid_request');
  });

  it('needs a user_id', async () => {
    const { apiKey } = await account();
    expectError(await dashboard(apiKey).get('/api/usage'), 400, 'invalid_request', /user_id/);
  });

  it('takes the bounds themselves', async () => {
    const { accountId, read } = await account();
    expect((await read({ per_page: '100' })).body.per_page).toBe(100);
    expect((await read({ per_page: '1', page: '2147483647' })).body).toMatchObject({ page: 2147483647, data: [] });
    expect((await read({ user_id: accountId.toUpperCase() })).status).toBe(200);
  });

  it('knows no other account, whether it exists or not', async () => {
    const { read } = await account({ scopes: ['usage:read', 'operator'] });
    const other = await account();
    const replies = [await read({ user_id: other.accountId }), await read({ user_id: randomUUID() })];
    for (const reply of replies) expectError(reply, 404, 'not_found');
    expect(replies[0]?.body).toEqual(replies[1]?.body);
  });

  it('needs a key that is valid and has usage:read', async () => {
    const { accountId } = await account();
    const path = `/api/usage?user_id=${accountId}`;
    expectError(await dashboard(null).get(path), 401, 'authentication_error');
    expectError(await dashboard('sk-ocr-nonsense').get(path), 401, 'authentication_error');
    const { read } = await account({ scopes: ['ocr:read', 'ocr:write'] });
    expectError(await read(), 403, 'insufficient_scope');
  });

  it('refuses a key from the moment it is revoked', async () => {
    const { accountId, read } = await account();
    const { key_id, api_key } = await house.admin.createKey({ accountId });
    await house.admin.revokeKey(key_id);
    expectError(await dashboard(api_key).get(`/api/usage?user_id=${accountId}`), 401, 'authentication_error');
    expect((await read()).status).toBe(200);
  });

  it('takes the key as api_key, and says that this is deprecated', async () => {
    const { accountId, apiKey } = await account();
    const stranger = dashboard(null);
    const path = `/api/usage?user_id=${accountId}&api_key=`;
    const good = await stranger.get<History>(path + apiKey);
    expect({ status: good.status, total: good.body.total }).toEqual({ status: 200, total: 0 });
    expect(good.headers['deprecation']).toBe('true');
    expect(good.headers['x-ratelimit-limit']).toBeDefined();
    for (const key of ['', 'sk-ocr-nonsense', 'a b']) {
      expectError(await stranger.get(path + encodeURIComponent(key)), 401, 'authentication_error');
    }
    const both = await dashboard(apiKey).get(`${path}sk-ocr-nonsense`);
    expect(both.status).toBe(200);
    expect(both.headers['deprecation']).toBeUndefined();
    expect(house.product.logs()).not.toContain(apiKey);
  });

  it('counts as a call of the key, whatever its status', async () => {
    const { apiKey, read } = await account({ tier: 'free' });
    const first = await read();
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' });
    expect(Number(first.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 60);
    expect((await read({ user_id: 'me' })).headers['x-ratelimit-remaining']).toBe('58');
    expect((await house.callerWith(apiKey).get('/v1/usage')).headers['x-ratelimit-remaining']).toBe('57');
    for (let i = 0; i < 57; i++) await read();
    const over = await read();
    expectError(over, 429, 'rate_limited');
    expect(Number(over.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(over.headers['x-ratelimit-remaining']).toBe('0');
  });

  it('is open to the dashboard’s own session', async () => {
    const { accountId, caller } = await account();
    await caller.ocr(await pictureBody());
    const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
    const browser = new Browser(house.product).take(cookie);
    const { status, body } = await browser.get<History>(`/api/usage?user_id=${accountId}`);
    expect({ status, total: body.total }).toEqual({ status: 200, total: 1 });
    expectError(await browser.get(`/api/usage?user_id=${randomUUID()}`), 404, 'not_found');
  });
});

const inserted: string[] = [];
/** Other files prove the ledger of this house, and these have no transfers. */
afterAll(() => runSql(house.product.databaseUrl, 'delete from ocr_request where id = any($1)', [inserted]));

/** A request of long ago, which nobody can make any more. */
async function insertOld(accountId: string, at: Date): Promise<void> {
  const sql = `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, pages,
      hold, cost, created_at, finished_at)
    values ($1, $2, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded', 1, 0, 10000000, $3, $3)`;
  const id = idOf(at);
  inserted.push(id);
  await runSql(house.product.databaseUrl, sql, [id, accountId, at]);
}

/** An id as one of that time is: 48 bits of milliseconds, then 80 random ones, in Crockford's base 32. */
function idOf(at: Date): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const digits = at.getTime().toString(32).padStart(10, '0');
  const time = [...digits].map((digit) => alphabet.charAt(Number.parseInt(digit, 32))).join('');
  const random = randomUUID().replaceAll('-', '').toUpperCase().slice(0, 16);
  return `ocr_${time}${random}`;
}
