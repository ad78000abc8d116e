import { afterAll, beforeEach, expect, it } from 'vitest';
import type { PageListAnswer } from '../house/answers.ts';
import { DocumentWeb } from '../house/document-web.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { ask } from '../house/graphql.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openOwnHouse } from '../house/house.ts';
import { ocrBody, pictureBody, urlBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { readSql, runSql } from '../house/sql.ts';
import { standingTransaction } from '../house/standing-transaction.ts';
import { until } from '../house/until.ts';

const house = await openOwnHouse({ env: LOOPBACK_ALLOWED });
const web = await DocumentWeb.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

/** What of an account's texts stands in the database, wherever that is. */
async function textsOf({ accountId }: HouseAccount): Promise<number> {
  const [row] = await readSql<{ texts: bigint }>(
    house.databaseUrl,
    `select count(*) as texts from ocr_request r
     left join ocr_page p on p.request_id = r.id left join webhook_delivery d on d.request_id = r.id
     where r.account_id = '${accountId}'
       and (p.text is not null or r.preview is not null or r.text_retained or d.body is not null)`,
  );
  return Number(row?.texts ?? -1);
}

/** How many pages of an account’s requests have their words kept. */
async function placesOf({ accountId }: HouseAccount): Promise<number> {
  const [row] = await readSql<{ pages: number }>(
    house.databaseUrl,
    `select count(*)::int as pages from page_layout l join ocr_request r on r.id = l.request_id
     where r.account_id = '${accountId}'`,
  );
  return row?.pages ?? -1;
}

async function isDeleted(id: string): Promise<boolean> {
  const rows = await readSql(
    house.databaseUrl,
    `select 1 from ocr_request where id = '${id}' and deleted_at is not null`,
  );
  return rows.length === 1;
}

/** Lets a clean-up that is due later be due now. */
async function hurry({ accountId }: HouseAccount): Promise<void> {
  await runSql(house.databaseUrl, 'update text_purge set due_at = now() where account_id = $1', [accountId]);
}

it('hands a text over in memory alone where its caller waits in the process that has read it', async () => {
  const { caller } = await house.account({ history: false });
  const url = web.put('/scan.png', { bytes: await picture(), type: 'image/png' });
  await runSql(
    house.databaseUrl,
    `create function let_none_pass() returns trigger language plpgsql as $$ begin raise exception 'a text passes'; end $$`,
  );
  await runSql(
    house.databaseUrl,
    'create trigger none_passes before insert on passing_text for each row execute function let_none_pass()',
  );
  try {
    const { status, body, text } = await caller.ocr(urlBody('reader', url));
    expect([status, body.extracted_text], text).toEqual([200, 'read by reader']);
  } finally {
    await runSql(house.databaseUrl, 'drop function let_none_pass cascade');
  }
});

it('a settlement that began before history was switched off leaves no text, neither to read nor in the database', async () => {
  const account = await house.account();
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('a secret text');
  });
  const { body } = await account.caller.ocr(await pictureBody('reader', { mode: 'async' }));
  await house.engines.called('reader');
  {
    // The settlement has its snapshot, and waits for the document that it deletes at its end.
    await using _held = await standingTransaction(
      house.databaseUrl,
      `select 1 from stored_document where request_id = '${body.request_id}' for update`,
    );
    gate.open();
    await until('the settlement waits', async () => {
      const settling = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%unbinds boolean%'`;
      return (await readSql(house.databaseUrl, settling)).length > 0;
    });
    await house.admin.setHistory(account.accountId, false);
  }
  await until('it has ended', async () => (await house.admin.showAccount(account.accountId)).held_usd === 0);
  expect((await account.caller.get(`/v1/ocr/${body.request_id}`)).status).toBe(410);
  await house.admin.setHistory(account.accountId, true);
  const read = await account.caller.get(`/v1/ocr/${body.request_id}`);
  expect(read.status, read.text).toBe(410);
  const seen = await ask(
    account.caller,
    `{ request(id: "${body.request_id}") {
    textRetained extractedText extractedTextPreview pageResults { text } } }`,
  );
  expect(JSON.stringify(seen.data)).not.toContain('secret');
  await hurry(account);
  await until('its text is deleted', async () => (await textsOf(account)) === 0);
});

it('texts from before it was switched off stay unreadable, texts from after it was switched on are kept', async () => {
  const account = await house.account();
  const pdf = makePdf([{ text: 'a secret text' }]);
  const read = async () => (await account.caller.ocr(ocrBody('pdf-text', pdf, { include: ['words'] }))).body.request_id;
  const statusOf = async (id: string) => (await account.caller.get(`/v1/ocr/${id}`)).status;
  const before = await read();
  expect(await placesOf(account)).toBe(1);
  await house.admin.setHistory(account.accountId, false);
  const meanwhile = await read();
  await house.admin.setHistory(account.accountId, true);
  const after = await read();
  await until('the key knows of it', async () => (await statusOf(after)) === 200);
  expect([await statusOf(before), await statusOf(meanwhile)]).toEqual([410, 410]);
  expect((await account.caller.get(`/v1/ocr/${before}/pages?include=words`)).status).toBe(410);
  await house.admin.setHistory(account.accountId, true); // changes nothing
  expect(await statusOf(after)).toBe(200);
  await hurry(account);
  await until('the clean-up is over', async () => {
    await hurry(account);
    const open = `select 1 from text_purge where account_id = '${account.accountId}'`;
    return (await readSql(house.databaseUrl, open)).length === 0;
  });
  expect(await statusOf(after)).toBe(200);
  expect([await textsOf(account), await placesOf(account)]).toEqual([1, 1]);
  const list = await account.caller.get<PageListAnswer>(`/v1/ocr/${after}/pages?include=words`);
  const { body } = await account.caller.get(`/v1/ocr/${after}`);
  expect(list.body.data).toMatchObject([{ text: 'a secret text', lines: [{ text: 'a secret text' }] }]);
  expect(body.page_results).toEqual(list.body.data);
  const hocr = await account.caller.get(`/v1/ocr/${after}/output?format=hocr`);
  expect([hocr.status, hocr.text.includes('>secret<')]).toEqual([200, true]);
});

it('a request that is deleted while a clean-up comes to it is deleted, and neither ends the other', async () => {
  const account = await house.account();
  const read = async () => (await account.caller.ocr(await pictureBody())).body.request_id;
  const [earlier, deleted] = [await read(), await read()];
  await runSql(
    house.databaseUrl,
    `insert into webhook_delivery (id, account_id, request_id, url, origin, event, is_failure, body, status, finished_at)
     values ('whd_' || substr($1, 5), $2, $1, 'https://example.com/', 'example.com', 'ocr.completed', false, 'a secret', 'delivered', now())`,
    [deleted, account.accountId],
  );
  const waits = async (words: string) => {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%${words}%'`;
    return (await readSql(house.databaseUrl, waiting)).length > 0;
  };
  const calls: Promise<unknown>[] = [];
  {
    await using _held = await standingTransaction(
      house.databaseUrl,
      `select 1 from ocr_request where id = '${earlier}' for update`,
    );
    calls.push(house.admin.setHistory(account.accountId, false));
    await until('the clean-up waits', () => waits('passes_left'));
    calls.push(account.caller.call('DELETE', `/v1/ocr/${deleted}`).then(({ status, text }) => [status, text]));
    await until('the deletion waits, or is over', async () => (await waits('with asked as')) || isDeleted(deleted));
  }
  expect((await Promise.all(calls))[1]).toEqual([204, '']);
  expect(await isDeleted(deleted)).toBe(true);
  expect(await textsOf(account)).toBe(0);
});

it('switching it off with many requests is one short change: a job deletes what is stored, and goes on after a crash', async () => {
  const account = await house.account();
  const { body } = await account.caller.ocr(await pictureBody());
  const MANY = 5200;
  await runSql(
    house.databaseUrl,
    `with copy as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold,
         text_retained, preview, created_at, finished_at)
       select 'ocr_0' || lpad(n::text, 25, '0'), account_id, engine, engine, 'sync', effective, 'succeeded', 'succeeded', 0,
         true, 'a secret', created_at, now()
       from ocr_request, generate_series(1, ${MANY}) n where id = $1 returning id
     )
     insert into ocr_page (request_id, number, engine, source, state, text)
     select id, 1, 'reader', 'engine', 'read', 'a secret' from copy`,
    [body.request_id],
  );
  expect(await textsOf(account)).toBe(MANY + 1);
  const operator = await house.account({ scopes: ['operator'] });
  const switchOff = `mutation { setHistory(accountId: "${account.accountId}", on: false) { history } }`;
  {
    // What the clean-up cannot finish now neither holds up the call nor is it forgotten.
    await using _held = await standingTransaction(
      house.databaseUrl,
      `select 1 from ocr_page where request_id = 'ocr_0${String(MANY).padStart(25, '0')}' for update`,
    );
    let answer: object | undefined;
    void ask(operator.caller, switchOff).then(({ data }) => {
      answer = data as object; // a mutation answers with an object
    });
    expect(await until('it is switched off', () => answer)).toEqual({ setHistory: { history: false } });
    expect((await account.caller.get(`/v1/ocr/${body.request_id}`)).status).toBe(410);
    await house.product.kill();
    expect(await textsOf(account)).toBeGreaterThan(0);
  }
  await using _next = await hostProduct({ databaseUrl: house.databaseUrl });
  await until('all texts are deleted', async () => (await textsOf(account)) === 0);
});
