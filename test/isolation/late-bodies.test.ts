import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectError } from '../house/expect-error.ts';
import { halfRequest } from '../house/half-request.ts';
import type { HouseAccount } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { readSql, runSql } from '../house/sql.ts';
import { standingTransaction } from '../house/standing-transaction.ts';
import { until } from '../house/until.ts';

const house = await sharedHouse();
const { url, dashboardUrl } = house.product;

/** Longer than `LATE_MS` of receive-body.ts, after which a caller is judged again. */
const LATE_MS = 1500;
const DOCUMENT = makePdf([{ text: 'a secret text' }]);
const READ = JSON.stringify(await pictureBody());
const READ_LATER = JSON.stringify(await pictureBody('reader', { mode: 'async' }));
const SUBMIT = JSON.stringify({
  query: `mutation ($data: String!) {
    submitOcr(request: { engine: "reader", input: { type: "base64", dataBase64: $data } }, idempotencyKey: "asked") { id } }`,
  variables: { data: (await picture()).toString('base64') },
});

interface Call {
  readonly origin?: string;
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly head: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Sends a call whose body comes in two halves; `meanwhile` happens once its caller is known and counted in `bucket`. */
async function late(bucket: string, call: Required<Call>, meanwhile: () => Promise<unknown>): Promise<Answer> {
  const bytes = Buffer.from(call.body);
  const headers = {
    Host: new URL(call.origin).host,
    'Content-Length': bytes.length,
    Connection: 'close',
    ...call.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const half = Math.floor(bytes.length / 2);
  const before = await hitsOf(bucket);
  const head = [`POST ${call.path} HTTP/1.1`, ...lines, '', ''];
  const request = await halfRequest(call.origin, head, bytes.subarray(0, half));
  await until('the caller is counted', async () => (await hitsOf(bucket)) === before + 1);
  await Promise.all([sleep(LATE_MS), meanwhile()]);
  request.socket.write(bytes.subarray(half));
  await until('it is answered', () => request.ended());
  expect(await hitsOf(bucket)).toBe(before + 1);
  const [answered = '', text = ''] = request.text().split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answered)?.[1]);
  return { status, head: answered, code: /"code": ?"(\w+)"/.exec(text)?.[1] };
}

async function hitsOf(bucket: string): Promise<number> {
  const sql = 'select hits from rate_window where key_id = $1';
  return (await readSql<{ hits: number }>(house.databaseUrl, sql, [bucket]))[0]?.hits ?? 0;
}

async function keyOf({ accountId }: HouseAccount): Promise<string> {
  const sql = 'select id from api_key where account_id = $1';
  return (await readSql<{ id: string }>(house.databaseUrl, sql, [accountId]))[0]?.id ?? '';
}

/** The ids of what was accepted of an account. */
async function acceptedOf({ accountId }: HouseAccount): Promise<string[]> {
  const sql = 'select id from ocr_request where account_id = $1';
  return (await readSql<{ id: string }>(house.databaseUrl, sql, [accountId])).map(({ id }) => id);
}

async function lateByKey(
  account: HouseAccount,
  meanwhile: () => Promise<unknown>,
  { origin = url, path = '/v1/ocr', body = READ, headers = {} }: Call = {},
): Promise<Answer> {
  const sent = { ...JSON_TYPE, Authorization: `Bearer ${account.apiKey}`, 'Idempotency-Key': 'late', ...headers };
  return late(await keyOf(account), { origin, path, body, headers: sent }, meanwhile);
}

const limitedAccount = () => house.account({ tier: 'free' });
const endAccount = ({ accountId }: HouseAccount) => house.admin.deleteAccount(accountId);
const revokeKey = async (account: HouseAccount) => house.admin.revokeKey(await keyOf(account));
const switchHistoryOff = ({ accountId }: HouseAccount) => house.admin.setHistory(accountId, false);
const endSessions = (accountId: string) =>
  runSql(house.databaseUrl, 'update session set revoked_at = now() where account_id = $1', [accountId]);
const takeScopes = async (account: HouseAccount) =>
  runSql(house.databaseUrl, `update api_key set scopes = '{usage:read}' where id = $1`, [await keyOf(account)]);
const limitKey = async (account: HouseAccount) =>
  runSql(house.databaseUrl, `insert into key_budget (key_id, amount, period) values ($1, 1, 'total')`, [
    await keyOf(account),
  ]);

describe.concurrent('a call whose body comes late', () => {
  it.each([
    ['its account was deleted', endAccount, READ, 401, 'authentication_error'],
    ['its key was revoked', revokeKey, READ, 401, 'authentication_error'],
    ['its key lost a scope', takeScopes, READ, 403, 'insufficient_scope'],
    ['its key was given a limit', limitKey, READ, 402, 'budget_exceeded'],
    ['history was switched off', switchHistoryOff, READ_LATER, 400, 'history_disabled'],
  ])('is refused where %s meanwhile', async (_what, change, body, status, code) => {
    const account = await limitedAccount();
    expect(await lateByKey(account, () => change(account), { body })).toMatchObject({ status, code });
    expect(await acceptedOf(account)).toEqual([]);
  });

  it.each([
    ['its account was deleted', endAccount, 401, 'authentication_error'],
    ['its key lost a scope', takeScopes, 200, 'insufficient_scope'],
    ['its key was given a limit', limitKey, 200, 'budget_exceeded'],
  ])('is refused by GraphQL where %s meanwhile', async (_what, change, status, code) => {
    const account = await limitedAccount();
    const answer = await lateByKey(account, () => change(account), { path: '/graphql', body: SUBMIT });
    expect(answer).toMatchObject({ status, code });
    expect(await acceptedOf(account)).toEqual([]);
  });

  it('repeats nothing to who has lost the key', async () => {
    const account = await limitedAccount();
    expect((await account.caller.ocr(READ, { key: 'late' })).status).toBe(200);
    const answer = await lateByKey(account, () => revokeKey(account));
    expect(answer).toMatchObject({ status: 401, code: 'authentication_error' });
  });

  it('gets no file of a document that it sends', async () => {
    const account = await limitedAccount();
    const { body } = await account.caller.ocr(ocrBody('pdf-text', DOCUMENT, { include: ['words'] }));
    const sent = {
      path: `/v1/ocr/${body.request_id}/output?format=pdf`,
      body: DOCUMENT,
      headers: { 'Content-Type': 'application/pdf' },
    };
    expect(await lateByKey(account, async () => undefined, sent)).toMatchObject({ status: 200 });
    const answer = await lateByKey(account, () => takeScopes(account), sent);
    expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  it('is answered where nothing has changed, and counts once', async () => {
    const account = await limitedAccount();
    const { status, head } = await lateByKey(account, async () => undefined);
    expect({ status, head }).toMatchObject({ status: 200, head: expect.stringMatching(/X-RateLimit-Remaining: 59\r/) });
    expect(await acceptedOf(account)).toHaveLength(1);
    const asked = await lateByKey(account, async () => undefined, { path: '/graphql', body: SUBMIT });
    expect(asked).toMatchObject({ status: 200, code: undefined });
  });

  it('that waits to be accepted is refused where its account was deleted meanwhile', async () => {
    const account = await limitedAccount();
    const { accountId, caller } = account;
    const lock = `select 1 from wallet where account_id = '${accountId}' for update`;
    const held = await standingTransaction(house.databaseUrl, lock);
    const call = caller.ocr(READ);
    const key = await keyOf(account);
    await until('the caller is counted', async () => (await hitsOf(key)) === 1);
    const ended = endAccount(account);
    const closing = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'update wallet set closed_at%'`;
    await until('the wallet is about to be closed', async () => (await readSql(house.databaseUrl, closing)).length > 0);
    await held[Symbol.asyncDispose]();
    expectError(await call, 401, 'authentication_error');
    expect(await ended).toMatchObject({ requests_open: 0 });
    expect(await acceptedOf(account)).toEqual([]);
  });

  it.each([
    ['a webhook', '/api/webhooks', JSON.stringify({ url: 'https://example.com/hook' })],
    ['GraphQL', '/graphql', JSON.stringify({ query: '{ account { id } }' })],
    ['a page to draw', '/api/page-picture', DOCUMENT],
  ])('of a login is refused once that has ended: %s', async (_what, path, body) => {
    const { accountId } = await limitedAccount();
    const { cookie } = await house.admin.createSession(accountId, new URL(dashboardUrl));
    const headers = { ...JSON_TYPE, Cookie: cookie, Origin: dashboardUrl };
    const call = { origin: dashboardUrl, path, body, headers };
    const bucket = `login:${accountId}:dashboard`;
    expect(await late(bucket, call, () => endSessions(accountId))).toMatchObject({
      status: 401,
      code: 'authentication_error',
    });
  });
});
