import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { DocumentWeb } from '../house/document-web.ts';
import { fails, refuses, says, silence } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { ask } from '../house/graphql.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody, urlBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture, pictureAs } from '../house/pictures.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';

const house = await openHouse({
  engines: { reader: {}, jobs: { max_pages_per_request: 50, concurrency: 4 } },
  env: LOOPBACK_ALLOWED,
});
const web = await DocumentWeb.start();
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

const pgDump = spawnSync('pg_dump', ['--version']);
const serverMajor = await readSql<{ major: number }>(
  house.databaseUrl,
  "select current_setting('server_version_num')::int / 10000 as major",
);
const missing = whyNoDump();
if (missing) console.log(`the dump is read table by table: ${missing}`);

function whyNoDump(): string | null {
  if (pgDump.status !== 0) return 'pg_dump is not installed';
  const major = Number(/(\d+)\./.exec(pgDump.stdout.toString())?.[1]);
  return major < (serverMajor[0]?.major ?? 0) ? `pg_dump ${major} is older than the server` : null;
}

/** Everything that the database holds, as text. */
async function dump(): Promise<string> {
  if (!missing) {
    const { status, stdout, stderr } = spawnSync('pg_dump', ['--data-only', '--dbname', house.databaseUrl], {
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(stderr.toString());
    return stdout.toString();
  }
  const tables = await readSql<{ name: string }>(
    house.databaseUrl,
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
  );
  const rows = tables.map(({ name }) => `select t::text as row from ${name} t`);
  // In one statement: a connection for each table is more than the database of the tests has.
  const texts = await readSql<{ row: string }>(house.databaseUrl, rows.join(' union all '));
  return texts.map(({ row }) => row).join('\n');
}

const DELETE = 'mutation ($id: ID!) { deleteRequest(id: $id) }';

async function statusOf(id: string): Promise<string | undefined> {
  const rows = await readSql<{ status: string }>(
    house.databaseUrl,
    `select status from ocr_request where id = '${id}'`,
  );
  return rows[0]?.status;
}

it('leaves no byte of document, text, settings, addresses and messages in the database', async () => {
  const { accountId, caller } = await house.account();
  const marker = `marker${randomUUID().replaceAll('-', '')}`;
  house.engines.script('reader', (_call, nth) => {
    if (nth === 1) return says(`the text of ${marker}`);
    return nth === 2 ? refuses(`${marker} is nothing that I read.`) : fails(500, `broke at ${marker}`);
  });
  const hook = `/hook/${marker}`;
  const url = web.put(`/${marker}.png`, { bytes: await picture(), type: 'image/png' });
  const fields = {
    settings: { language: marker.slice(0, 40) },
    native_settings: { user: marker },
    mode: 'async',
    webhook_url: receiver.at(hook),
  };
  const first = await caller.ocr(urlBody('reader', url, fields));
  await receiver.gets(hook, 1);
  const second = await caller.ocr(urlBody('reader', url, fields));
  await receiver.gets(hook, 2);
  const third = await caller.ocr(ocrBody('reader', Buffer.concat([await picture(), Buffer.from(marker)]), fields));
  await receiver.gets(hook, 3);
  const placed = await caller.ocr(
    ocrBody('pdf-text', makePdf([{ text: `the text of ${marker}` }]), { include: ['words'] }),
  );
  // As the words of a page stand in the database.
  const hex = Buffer.from(marker).toString('hex');
  const held = await dump();
  expect([marker.slice(0, 40), hex].filter((trace) => !held.includes(trace))).toEqual([]);
  const before = await readSql<{ n: number }>(
    house.databaseUrl,
    `select count(*)::int as n from ledger_transfer where account_id = '${accountId}'`,
  );
  const ids = [first, second, third, placed].map(({ body }) => body.request_id);
  await until('the deliveries are over', async () => {
    const open = await readSql(house.databaseUrl, "select 1 from webhook_delivery where status = 'pending'");
    return open.length === 0;
  });
  for (const id of ids) {
    const reply = await caller.call('DELETE', `/v1/ocr/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expectError(await caller.get(`/v1/ocr/${id}`), 410, 'result_not_retained');
    expect((await caller.call('DELETE', `/v1/ocr/${id}`)).status).toBe(204);
  }
  const left = await dump();
  expect([marker.slice(0, 40), hex].filter((trace) => left.includes(trace))).toEqual([]);
  const after = await readSql<{ n: number }>(
    house.databaseUrl,
    `select count(*)::int as n from ledger_transfer where account_id = '${accountId}'`,
  );
  expect(after).toEqual(before);
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});

const unprintable = () => `said-${randomUUID()}`;

/** The words of a provider that only operators hear, once they are written; '' where they are not kept. */
async function wordsAfter(call: () => Promise<unknown>): Promise<string> {
  await runSql(house.databaseUrl, 'delete from engine_words');
  await call();
  const kept = () => readSql<{ words: string }>(house.databaseUrl, 'select words from engine_words');
  const [row] = await until('it is written what the provider said', async () => {
    const rows = await kept();
    return rows.length > 0 && rows;
  });
  return row?.words ?? '';
}

it('leaves nothing of what only operators hear of a provider', async () => {
  const { caller } = await house.account();
  const words = unprintable();
  house.engines.script('reader', fails(403, words));
  const body = await pictureBody('reader', { mode: 'async' });
  let id = '';
  expect(await wordsAfter(async () => (id = (await caller.ocr(body)).body.request_id))).toBe(words);
  await until('it has ended', async () => (await statusOf(id)) === 'failed');
  expect((await caller.call('DELETE', `/v1/ocr/${id}`)).status).toBe(204);
  await until('it is gone', async () => !(await dump()).includes(words), { patienceMs: 20_000 });
});

it('is not needed for what is not kept in the first place: such words are not either', async () => {
  const quiet = await house.account({ history: false });
  const { caller } = await house.account();
  house.engines.script('reader', fails(403, unprintable()));
  const body = () => pictureBody('reader');
  expect(await wordsAfter(async () => quiet.caller.ocr(await body()))).toBe('');
  house.engines.script('reader', fails(403, unprintable()));
  expect(await wordsAfter(async () => caller.ocr(await pictureBody('reader', { store: false })))).toBe('');
});

it('is not needed for what an engine says of a page, either: no words of it stand where texts are not kept', async () => {
  const { accountId, caller } = await house.account({ history: false });
  const marker = `marker${randomUUID().replaceAll('-', '')}`;
  const body = await pictureBody('reader');
  house.engines.script('reader', refuses(`It says ${marker}, which I do not repeat.`));
  expect((await caller.ocr(body)).body).toMatchObject({ provider_error: expect.stringContaining(marker) });
  house.engines.script('reader', fails(500, `broke at ${marker}`));
  expectError(await caller.ocr(body), 502, 'provider_error', new RegExp(marker));
  let calls = 0;
  house.engines.script('reader', () => (++calls === 1 ? says('the text') : refuses(`It says ${marker}.`)));
  const pages = makePdf([{ content: '0 g 9 9 300 40 re f' }, { content: '0 g 9 9 400 40 re f' }]);
  const { body: part } = await caller.ocr(ocrBody('reader', pages, { page_count: 2 }));
  expect(part).toMatchObject({ status: 'partial', warnings: [expect.stringContaining(marker)] });
  const stored = await readSql<{ attempts: number; said: number }>(
    house.databaseUrl,
    `select count(*)::int as attempts, count(message)::int as said from attempt
     where request_id in (select id from ocr_request where account_id = '${accountId}')`,
  );
  expect(stored).toEqual([{ attempts: 3, said: 3 }]);
  await until('it is not there', async () => !(await dump()).includes(marker), { patienceMs: 5000 });
});

it('leaves no words where they stood, no tables, and nothing that was on its way to another process', async () => {
  const { caller } = await house.account();
  // Words are packed as bytes, in which only their letters as bytes are found.
  const marker = `marker${randomUUID().slice(0, 8)}`;
  const [text, hex] = [marker, Buffer.from(marker).toString('hex')];
  house.engines.script('reader', says(`| name | value |\n|---|---|\n| the cell | ${marker} |`));
  const include = { include: ['words', 'tables'] };
  const ids: string[] = [];
  for (const body of [
    ocrBody('pdf-text', makePdf([{ text: marker }]), include),
    await pictureBody('reader', include),
  ]) {
    const sent = await caller.ocr(body);
    expect(sent.body.status).toBe('succeeded');
    ids.push(sent.body.request_id);
  }
  // What a worker leaves for a caller who waits at another process, and who is gone.
  await runSql(
    house.databaseUrl,
    'insert into passing_text (request_id, text, pages) values ($1, $2, jsonb_build_array($2::text))',
    [ids[0], `passing ${marker}`],
  );
  const traces = async () => {
    const rows = await Promise.all(['page_layout', 'passing_text'].map((table) => rowsOf(table, ids)));
    return rows.map((texts) => texts.map((row) => [text, hex].filter((trace) => row.includes(trace))));
  };
  // A table that stands in the text is kept as its place there: a row without a letter.
  expect(await traces()).toEqual([[[hex], []], [[text]]]);
  for (const id of ids) expect((await caller.call('DELETE', `/v1/ocr/${id}`)).status).toBe(204);
  expect(await traces()).toEqual([[], []]);
  const left = await dump();
  expect([text, hex].filter((trace) => left.includes(trace))).toEqual([]);
});

/** The rows of these requests, as text; in the order of their ids. */
async function rowsOf(table: string, ids: readonly string[]): Promise<string[]> {
  const among = ids.map((id) => `'${id}'`).join();
  const sql = `select t::text as row from ${table} t where request_id in (${among}) order by request_id`;
  return (await readSql<{ row: string }>(house.databaseUrl, sql)).map(({ row }) => row);
}

it('replays at no cost and without text', async () => {
  const { accountId, caller } = await house.account();
  const body = await pictureBody();
  const sent = await caller.ocr(body, { key: 'again' });
  expect((await caller.call('DELETE', `/v1/ocr/${sent.body.request_id}`)).status).toBe(204);
  const again = await caller.ocr(body, { key: 'again' });
  expect(again.status).toBe(200);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toMatchObject({ status: 'succeeded', extracted_text: null, warning: expect.any(String) });
  expect(house.engines.calls('reader')).toHaveLength(1);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 9.99 });
  expectError(await caller.ocr(await pictureBody(), { key: 'again' }), 409, 'idempotency_key_reused');
});

it('cancels what is at work, which keeps nothing when it ends', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', silence);
  const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
  const calls = await house.engines.called('reader');
  const reply = await caller.call('DELETE', `/v1/ocr/${body.request_id}`);
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({
    request_id: body.request_id,
    status: 'processing',
    cancel_requested_at: expect.any(String),
  });
  await until('the call is closed', () => calls[0]?.aborted);
  await until('it has ended', async () => (await statusOf(body.request_id)) === 'failed');
  expectError(await caller.get(`/v1/ocr/${body.request_id}`), 410, 'result_not_retained');
  await until('what is left of it is deleted', async () => {
    const rows = await readSql(
      house.databaseUrl,
      `select 1 from ocr_request where id = '${body.request_id}' and deleted_at is not null and provider_error is null`,
    );
    return rows.length === 1;
  });
});

it('of a large job at work the pages that are read already are shown no more, and nothing of them is left', async () => {
  const { caller } = await house.account();
  const marker = `marker${randomUUID()}`;
  const [read, pages, firstWidth] = [10, 22, 100];
  house.engines.script('jobs', async (call) => {
    const page = (await call.size()).width - firstWidth;
    return page <= read ? says(`page ${page}: ${marker}`) : silence;
  });
  const jpeg = await pictureAs('jpeg');
  const scans = makePdf(
    Array.from({ length: pages }, (_, i) => ({
      size: [firstWidth + i + 1, 80] as const,
      picture: { jpeg, width: 64, height: 48 },
    })),
  );
  const wish = { mode: 'async', page_count: pages, settings: { dpi: 72 }, include: ['words'] };
  const { body } = await caller.ocr(ocrBody('jobs', scans, wish));
  const path = `/v1/ocr/${body.request_id}`;
  await until('the first pages are read and shown', async () => {
    const shown = await caller.get<{ data?: unknown[] }>(`${path}/pages`);
    return shown.text.includes(marker) && shown.body.data?.length === read;
  });
  expect((await dump()).includes(marker)).toBe(true);
  expect((await caller.call('DELETE', path)).status).toBe(202);
  expect((await caller.get(`${path}/pages`)).text).not.toContain(marker);
  await until('it has ended', async () => (await caller.get(path)).status === 410);
  await until('nothing of it is left', async () => !(await dump()).includes(marker));
});

it('with `store` false keeps nothing from the start, and hands the result over once', async () => {
  const { caller } = await house.account();
  const marker = `marker${randomUUID()}`;
  house.engines.script('reader', says(`only once: ${marker}`));
  const fields = { store: false, native_settings: { user: marker } };
  const body = await pictureBody('reader', fields);
  const sent = await caller.ocr(body, { key: 'once' });
  expect(sent.body).toMatchObject({ status: 'succeeded', extracted_text: `only once: ${marker}` });
  expect(sent.body.warnings?.join()).not.toMatch(/store/);
  expectError(await caller.get(`/v1/ocr/${sent.body.request_id}`), 410, 'result_not_retained');
  expect((await dump()).includes(marker)).toBe(false);
  // It is no part of the effective request.
  const again = await caller.ocr({ ...body, store: true }, { key: 'once' });
  expect(again.body).toMatchObject({ request_id: sent.body.request_id, extracted_text: null });
  expectError(await caller.ocr(await pictureBody('reader', { store: false, mode: 'async' })), 400, 'history_disabled');
  const items = [await pictureBody('reader', { store: false }), await pictureBody('reader')];
  const batch = await caller.call<{ results: { request_id: string; extracted_text: string }[] }>(
    'POST',
    '/v1/ocr/batch',
    {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    },
  );
  const [unkept, kept] = batch.body.results;
  expect(unkept?.extracted_text).toContain(marker);
  expectError(await caller.get(`/v1/ocr/${unkept?.request_id}`), 410, 'result_not_retained');
  expect((await caller.get(`/v1/ocr/${kept?.request_id}`)).body.extracted_text).toContain(marker);
});

it('finishes what a crash left half done', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  await runSql(
    house.databaseUrl,
    `update ocr_request set discard = true, finished_at = now() - interval '1 minute' where id = '${body.request_id}'`,
  );
  await until('it is deleted', async () => {
    const rows = await readSql(
      house.databaseUrl,
      `select 1 from ocr_request where id = '${body.request_id}' and deleted_at is not null`,
    );
    return rows.length === 1;
  });
  expectError(await caller.get(`/v1/ocr/${body.request_id}`), 410, 'result_not_retained');
});

it('is for the account alone, and not for operators', async () => {
  const owner = await house.account();
  const { body } = await owner.caller.ocr(await pictureBody());
  const path = `/v1/ocr/${body.request_id}`;
  expectError(await (await house.account()).caller.call('DELETE', path), 404, 'not_found');
  expectError(await house.stranger.call('DELETE', path), 401, 'authentication_error');
  const reader = await house.account({ scopes: ['ocr:read'] });
  expectError(await reader.caller.call('DELETE', path), 403, 'insufficient_scope');
  const operator = await house.account({ scopes: ['operator', 'ocr:write'] });
  const id = body.request_id;
  expect((await ask(operator.caller, DELETE, { id })).codes).toEqual(['not_found']);
  expect((await owner.caller.get(path)).status).toBe(200);
  expect((await ask(owner.caller, DELETE, { id })).data).toEqual({ deleteRequest: true });
  expectError(await owner.caller.get(path), 410, 'result_not_retained');
});
