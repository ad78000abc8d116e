import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { LineAnswer } from '../../house/answers.ts';
import { refuses, says, silence } from '../../house/engine-answers.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { newId } from '../../house/ids.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { linesOf, readArchive } from '../../house/read-archive.ts';
import { readSql, runSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';
import { WebhookReceiver } from '../../house/webhook-receiver.ts';

const house = await openHouse({ engines: { reader: { concurrency: 4 } }, env: LOOPBACK_ALLOWED });
const receiver = await WebhookReceiver.start();
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-export-'));
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => house.engines.reset());

interface ExportedRequest {
  readonly request_id: string;
  readonly status: string;
  readonly cost_debited: number;
  readonly page_results: readonly { page: number; text: string | null }[];
}

async function exported(apiKey: string, options: RequestInit = {}): Promise<Response> {
  const url = new URL('/api/export', house.product.dashboardUrl);
  return fetch(url, { ...options, headers: { authorization: `Bearer ${apiKey}` } });
}

async function filesOf({ apiKey }: HouseAccount): Promise<Map<string, string>> {
  const response = await exported(apiKey);
  expect(response.status).toBe(200);
  return readArchive(Buffer.from(await response.arrayBuffer()));
}

it('has everything of the account, and what it cost adds up to its ledger', async () => {
  const account = await house.account();
  const { accountId, caller } = account;
  const other = await house.account();
  house.engines.script('reader', says('a text that is kept'));
  const fields = { mode: 'async', webhook_url: receiver.at('/hook') };
  const first = (await caller.ocr(await pictureBody('reader', fields))).body.request_id;
  await receiver.gets('/hook', 1);
  const document = makePdf([1, 2, 3].map((n) => ({ size: [100 + n, 80] as const, text: `page ${n}` })));
  const second = (await caller.ocr(ocrBody('reader', document, { page_count: 3 }))).body.request_id;
  const third = (await caller.ocr(await pictureBody())).body.request_id;
  expect((await caller.call('DELETE', `/v1/ocr/${third}`)).status).toBe(204);
  await other.caller.ocr(await pictureBody());

  const response = await exported(account.apiKey);
  expect(response.headers.get('content-type')).toBe('application/gzip');
  expect(response.headers.get('content-disposition')).toContain(`ocr-router-${accountId}-`);
  const files = await readArchive(Buffer.from(await response.arrayBuffer()));
  expect([...files.keys()]).toEqual([
    'account.json',
    'keys.ndjson',
    'webhooks.ndjson',
    'deliveries.ndjson',
    'ledger.ndjson',
    'requests.ndjson',
    'positions.ndjson',
    'manifest.json',
  ]);
  const requests = linesOf<ExportedRequest>(files, 'requests');
  expect(requests.map(({ request_id }) => request_id)).toEqual([first, second, third]);
  expect(requests.map(({ page_results }) => page_results.map(({ page, text }) => [page, text]))).toEqual([
    [[1, 'a text that is kept']],
    [1, 2, 3].map((page) => [page, 'a text that is kept']),
    [[1, null]],
  ]);
  const ledger = linesOf<{ debit: string; credit: string; amount_usd: number; request_id: string | null }>(
    files,
    'ledger',
  );
  const charged = ledger.filter(({ debit }) => debit === 'wallet').reduce((sum, { amount_usd }) => sum + amount_usd, 0);
  expect(requests.reduce((sum, { cost_debited }) => sum + cost_debited, 0)).toBeCloseTo(charged, 9);
  expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject({
    account_id: accountId,
    balance_usd: Number((10 - charged).toFixed(9)),
  });
  expect(linesOf(files, 'deliveries')).toMatchObject([{ request_id: first, status: 'delivered' }]);
  expect(JSON.parse(files.get('manifest.json') ?? '')).toEqual({
    lines: { keys: 1, webhooks: 0, deliveries: 1, ledger: ledger.length, requests: 3, positions: 0 },
  });
  const all = [...files.values()].join('');
  expect(all).not.toMatch(/whsec_|"hash"|secret/);
});

it('has the pages as the API has them, and what stands where on each', async () => {
  const account = await house.account();
  const include = { include: ['words', 'tables'], page_count: 2 };
  const document = makePdf([{ text: 'The first page' }, { text: 'The second page' }]);
  const { body } = await account.caller.ocr(ocrBody('pdf-text', document, include));
  // As if the engine had told a table apart from the text.
  const told = '[[1, 2, null, [[1, 1, 1, 1, "told", 1], [1, 2, 1, 1, "apart", 0]]]]';
  const first = `where request_id = '${body.request_id}' and number = 1`;
  expect(await runSql(house.databaseUrl, `update page_layout set tables = '${told}' ${first}`)).toBe(1);
  house.engines.script('reader', refuses('No.'));
  await account.caller.ocr(await pictureBody('reader', { include: ['words'] }));
  const deleted = await account.caller.ocr(ocrBody('pdf-text', document, include));
  expect((await account.caller.call('DELETE', `/v1/ocr/${deleted.body.request_id}`)).status).toBe(204);
  const files = await filesOf(account);
  const [read, failed] = linesOf<{ page_results: Record<string, unknown>[] }>(files, 'requests');
  type Positions = { request_id: string; page: number; lines: LineAnswer[]; tables: object[] };
  const positions = linesOf<Positions>(files, 'positions');
  expect(positions.map(({ request_id, page }) => [request_id, page])).toEqual([1, 2].map((n) => [body.request_id, n]));
  const shown = (body.page_results ?? []).map(({ lines: _lines, ...page }) => withoutNulls(page));
  expect(shown).toHaveLength(2);
  expect(read?.page_results.map((page) => withoutNulls({ ...page, tables: [] }))).toMatchObject(shown);
  expect(positions.map(({ lines }) => lines)).toEqual(body.page_results?.map(({ lines }) => lines));
  const path = `/v1/ocr/${body.request_id}/pages?include=words,tables`;
  const pages = (await account.caller.get<{ data: { tables?: object[] }[] }>(path)).body.data;
  expect(pages[0]?.tables).toMatchObject([{ cells: [{ text: 'told' }, { text: 'apart' }] }]);
  expect(positions.map(({ tables }) => tables)).toEqual(pages.map(({ tables = [] }) => tables));
  expect(positions[0]?.lines[0]?.words?.map(({ text }) => text)).toEqual(['The', 'first', 'page']);
  expect(failed?.page_results).toMatchObject([{ state: 'failed', cost_usd: 0, positions: 'none' }]);
});

it('names what was applied and noted as the API does', async () => {
  const account = await house.account();
  const settings = { language: 'de', detect_tables: true };
  const native_settings = { inner: { camelCase: 1 } };
  const { body } = await account.caller.ocr(await pictureBody('reader', { settings, native_settings }));
  const attempt = { engine: 'reader', outcome: 'empty', costUsd: 0.004, providerLatencyMs: 12 };
  const metadata = {
    warnings: ['a note'],
    possibleDuplicate: { lines: 2, text: 'usedEngine' },
    fallback: { requestedEngine: 'reader', usedEngine: 'other', reason: 'a reason', attempts: [attempt] },
    preprocessing: [{ page: 1, steps: ['deskewed'] }],
  };
  const update = `update ocr_request set metadata = '${JSON.stringify(metadata)}' where id = '${body.request_id}'`;
  expect(await runSql(house.databaseUrl, update)).toBe(1);
  await account.caller.ocr(await pictureBody());
  type Told = { applied_settings: object; metadata: object | null };
  const [noted, plain] = linesOf<Told>(await filesOf(account), 'requests');
  const shown = (await account.caller.get(`/v1/ocr/${body.request_id}`)).body;
  expect(shown.metadata).toHaveProperty('fallback.attempts.0.provider_latency_ms', 12);
  expect(noted?.metadata).toEqual(shown.metadata);
  expect(withoutNulls(noted?.applied_settings ?? {})).toEqual(shown.applied_settings);
  expect(shown.applied_settings).toMatchObject({ language: 'de', detect_tables: true, page_count: 1 });
  expect(plain?.metadata).toBeNull();
});

/** The API leaves out what there is not. */
function withoutNulls(page: object): object {
  return Object.fromEntries(Object.entries(page).filter(([, value]) => value !== null));
}

it('has what a process accepted whose clock is ahead, or was', async () => {
  const account = await house.account();
  const { request_id: id } = (await account.caller.ocr(await pictureBody())).body;
  const ahead = newId('ocr_', Date.now() + 3_600_000);
  const copied = await runSql(
    house.databaseUrl,
    `with copy as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold,
         text_retained, created_at, finished_at)
       select $2, account_id, engine, engine, 'sync', effective, 'succeeded', 'succeeded', 0, true, created_at, finished_at
       from ocr_request where id = $1 returning id, account_id
     ),
     counted as (update wallet w set requests = requests + 1 from copy where w.account_id = copy.account_id)
     insert into ocr_page (request_id, number, engine, source, state, text)
     select id, 1, 'reader', 'engine', 'read', 'of an hour ahead' from copy`,
    [id, ahead],
  );
  expect(copied).toBe(1);
  const requests = linesOf<ExportedRequest>(await filesOf(account), 'requests');
  expect(requests.map(({ request_id, page_results }) => [request_id, page_results[0]?.text])).toEqual([
    [id, 'read by reader'],
    [ahead, 'of an hour ahead'],
  ]);
});

it('has no texts that the account must not keep', async () => {
  const account = await house.account();
  const document = makePdf([{ text: 'not to be seen' }]);
  await account.caller.ocr(ocrBody('pdf-text', document, { include: ['words'] }));
  // The setting alone, as before the purge has come by.
  await runSql(
    house.databaseUrl,
    `update account set history = false, history_off_at = now() where id = '${account.accountId}'`,
  );
  const files = await filesOf(account);
  const [request] = linesOf<ExportedRequest>(files, 'requests');
  expect(request?.page_results).toMatchObject([{ page: 1, text: null }]);
  expect(linesOf(files, 'positions')).toEqual([]);
});

it('is one at a time for an account, and does not wait for who has gone', async () => {
  const account = await house.account();
  const statement = `insert into export_lease (account_id, holder, expires_at) values ('${account.accountId}', 'elsewhere', now() + $$1 minute$$)`;
  await runSql(house.databaseUrl, statement);
  const busy = await exported(account.apiKey);
  expect([busy.status, await busy.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
  await runSql(house.databaseUrl, "update export_lease set expires_at = now() - interval '1 second'");
  expect((await filesOf(account)).has('manifest.json')).toBe(true);
  await until('the right is given back', async () => (await exported(account.apiKey)).status === 200);
});

it('needs a login or a key that may read requests and usage', async () => {
  expect((await fetch(new URL('/api/export', house.product.dashboardUrl))).status).toBe(401);
  for (const scopes of [['ocr:read'], ['usage:read'], ['ocr:write']] as const) {
    const { apiKey } = await house.account({ scopes: [...scopes] });
    expect((await exported(apiKey)).status).toBe(403);
  }
  const account = await house.account();
  const refused = await exported(account.apiKey, { method: 'HEAD' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  const { cookie } = await house.admin.createSession(account.accountId, new URL(house.product.dashboardUrl));
  const byLogin = await fetch(new URL('/api/export', house.product.dashboardUrl), { headers: { cookie } });
  expect(byLogin.status).toBe(200);
  expect((await readArchive(Buffer.from(await byLogin.arrayBuffer()))).has('account.json')).toBe(true);
});

it('counts once against the rate limit, however many pieces it has', async () => {
  const { apiKey, accountId, caller } = await house.account({ tier: 'free' });
  const before = (await caller.get('/v1/usage')).headers['x-ratelimit-remaining'];
  const response = await exported(apiKey);
  await response.arrayBuffer();
  const after = (await caller.get('/v1/usage')).headers['x-ratelimit-remaining'];
  expect([before, response.headers.get('x-ratelimit-remaining'), after]).toEqual(['59', '58', '57']);
  await Promise.all(Array.from({ length: 57 }, () => caller.get('/v1/usage')));
  const refused = await exported(apiKey);
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  // A login is counted by its account.
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const byLogin = () => fetch(new URL('/api/export', house.product.dashboardUrl), { headers: { cookie } });
  expect((await byLogin()).status).toBe(200);
});

it('operators export an account into a file that is not there yet', async () => {
  const { accountId, caller } = await house.account();
  await caller.ocr(await pictureBody());
  const out = join(folder, 'account.tar.gz');
  expect(await house.admin.exportAccount(accountId, out)).toMatchObject({
    account_id: accountId,
    lines: { requests: 1 },
  });
  const files = await readArchive(await readFile(out));
  expect(linesOf<ExportedRequest>(files, 'requests')).toHaveLength(1);
  await expect(house.admin.exportAccount(accountId, out)).rejects.toThrow();
});

it('the end of an account stops what is at work and what waits for it, and keeps nothing of either', async () => {
  const account = await house.account();
  const { accountId, caller } = account;
  house.engines.script('reader', silence);
  const hook = { mode: 'async', webhook_url: receiver.at('/ended') };
  const atWork: string[] = [];
  for (let i = 0; i < 4; i++) atWork.push((await caller.ocr(await pictureBody('reader', hook))).body.request_id);
  const calls = await house.engines.called('reader', 4);
  const waits = (await caller.ocr(await pictureBody('reader', hook))).body.request_id;
  expect(await house.admin.deleteAccount(accountId)).toMatchObject({ requests_deleted: 0, requests_open: 5 });
  await until('the calls are closed', () => calls.every(({ aborted }) => aborted));
  const ended = `account_id = '${accountId}' and cancelled_at is not null`;
  const endedRows = () => readSql(house.databaseUrl, `select 1 from ocr_request where ${ended}`);
  await until('all of them have ended', async () => (await endedRows()).length === 5);
  // What is left of each is deleted when whoever waits for it has it: as if that were long ago.
  await runSql(house.databaseUrl, `update ocr_request set finished_at = now() - interval '1 minute' where ${ended}`);
  const rows = () =>
    readSql<{ id: string; url: string | null; left: number }>(
      house.databaseUrl,
      `select id, effective ->> 'webhookUrl' as url,
         (select count(*)::int from ocr_page p where p.request_id = r.id and (p.text is not null or p.message is not null)) as left
       from ocr_request r where ${ended} and deleted_at is not null order by id`,
    );
  await until('they are deleted', async () => (await rows()).length === 5);
  expect(await rows()).toEqual([...atWork, waits].map((id) => ({ id, url: null, left: 0 })));
  expect(house.engines.calls('reader')).toHaveLength(4);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ held_usd: 0, balance_usd: 10 - 4 * 0.004 });
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

it('an account comes to its end: nobody comes in, nothing is left to read, and the books add up', async () => {
  const account = await house.account({ credit: 0.015 });
  const { accountId, caller, apiKey } = account;
  house.engines.script('reader', (_call, nth) => (nth === 1 ? says('gone with the account') : silence));
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const read = (await caller.ocr(await pictureBody('reader', { mode: 'async', webhook_url: receiver.at('/last') })))
    .body.request_id;
  await receiver.gets('/last', 1);
  await runSql(
    house.databaseUrl,
    `with w as (update wallet set owed = 5000000 where account_id = '${accountId}')
    insert into ledger_transfer (account_id, kind, debit, credit, amount) values ('${accountId}', 'adjustment', 'receivable', 'adjustment', 5000000)`,
  );
  const ended = await house.admin.deleteAccount(accountId);
  expect(ended).toEqual({ account_id: accountId, requests_deleted: 1, requests_open: 0, written_off_usd: 0.005 });
  const last = 'select kind, debit, credit, amount from ledger_transfer where account_id = $1 order by id desc limit 1';
  expect(await readSql(house.databaseUrl, last, [accountId])).toEqual([
    { kind: 'written_off', debit: 'revenue', credit: 'receivable', amount: '5000000' },
  ]);
  // Not by an export: one that still begins, and that nobody reads, would keep the account's place.
  await until('the key is refused', async () => (await caller.get('/v1/usage')).status === 401);
  expect((await exported(apiKey)).status).toBe(401);
  const byLogin = await fetch(new URL('/api/export', house.product.dashboardUrl), { headers: { cookie } });
  expect(byLogin.status).toBe(401);
  expect(await house.admin.showAccount(accountId)).toMatchObject({
    email: `deleted-${accountId}`,
    history: false,
    owed_usd: 0,
  });
  const out = join(folder, 'ended.tar.gz');
  await house.admin.exportAccount(accountId, out);
  const files = await readArchive(await readFile(out));
  expect([...files.values()].join('')).not.toContain('gone with the account');
  expect(linesOf<ExportedRequest>(files, 'requests')).toMatchObject([
    { request_id: read, status: 'succeeded', cost_debited: 0.01 },
  ]);
  expect([linesOf(files, 'webhooks'), linesOf(files, 'deliveries')]).toEqual([[], []]);
  expect(await house.admin.deleteAccount(accountId)).toMatchObject({ requests_deleted: 0, written_off_usd: 0 });
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});
