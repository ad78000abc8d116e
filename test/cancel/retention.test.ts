import { afterAll, expect, it } from 'vitest';
import type { OcrAnswer } from '../house/answers.ts';
import { Caller } from '../house/caller.ts';
import { adminCommand } from '../house/command.ts';
import { cutsShort, refuses, says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { ask } from '../house/graphql.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { openHouse } from '../house/house.ts';
import { readMetrics } from '../house/metrics.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { movedBack } from './moved-back.ts';

const house = await openHouse();
afterAll(() => house[Symbol.asyncDispose]());

type Answer = OcrAnswer & { retained_until?: string };
const DAY_MS = 86_400_000;

const moveBack = (id: string, days: number) => movedBack(house.databaseUrl, id, days);

async function textsOf(id: string): Promise<number> {
  const [row] = await readSql<{ n: number }>(
    house.databaseUrl,
    `select count(*)::int as n from ocr_page where request_id = '${id}' and text is not null`,
  );
  return row?.n ?? 0;
}

async function placesOf(id: string): Promise<number> {
  const rows = await readSql(house.databaseUrl, `select 1 from page_layout where request_id = '${id}'`);
  return rows.length;
}

it('texts are gone for readers when their days are over, and deleted by the next purge', async () => {
  const { accountId, caller } = await house.account();
  const other = await house.account();
  house.engines.script('reader', says('kept for a while'));
  const [old, young] = await Promise.all(
    [1, 2].map(async () => (await caller.ocr(await pictureBody('reader', { include: ['words'] }))).body.request_id),
  );
  const foreign = (await other.caller.ocr(await pictureBody())).body.request_id;
  const gone = await moveBack(old ?? '', 31);
  const kept = await moveBack(young ?? '', 29);
  const notMine = await moveBack(foreign, 400);
  expect((await caller.get<Answer>(`/v1/ocr/${gone}`)).body).not.toHaveProperty('retained_until');
  // The setting alone decides what is read; the purge of this process came and went at its start.
  await runSql(house.databaseUrl, `update account set text_days = 30 where id = '${accountId}'`);
  expectError(await caller.get(`/v1/ocr/${gone}`), 410, 'result_not_retained');
  const { data } = await ask<{ request: { extractedText: null; pageResults: { text: null }[] } }>(
    caller,
    'query ($id: ID!) { request(id: $id) { extractedText pageResults { text } } }',
    { id: gone },
  );
  expect(data.request).toEqual({ extractedText: null, pageResults: [{ text: null }] });
  expect([await textsOf(gone), await placesOf(gone), await placesOf(kept)]).toEqual([1, 1, 1]);
  expect(await house.admin.setRetention(accountId, 30)).toEqual({ account_id: accountId, text_days: 30 });
  expect([await textsOf(gone), await textsOf(kept), await textsOf(notMine)]).toEqual([0, 1, 1]);
  expect([await placesOf(gone), await placesOf(kept)]).toEqual([0, 1]);
  expect((await caller.get(`/v1/ocr/${kept}`)).body.extracted_text).toBe('kept for a while');
  expect((await other.caller.get(`/v1/ocr/${notMine}`)).status).toBe(200);
  await until('the key knows of it, and the answer says why', async () => {
    const { body } = await caller.get<{ error: { message: string } }>(`/v1/ocr/${gone}`);
    return body.error.message.includes('30 days');
  });
});

it('the command bounds the days and, with `off`, keeps texts for ever', async () => {
  const { accountId } = await house.account();
  for (const [days, text_days] of [
    ['30', 30],
    ['off', null],
  ] as const) {
    const command = ['account', 'retention', '--account', accountId, '--text-days', days];
    const { exitCode, body } = await adminCommand(command, { DATABASE_URL: house.databaseUrl });
    expect([exitCode, body]).toEqual([0, { account_id: accountId, text_days }]);
  }
});

it('pages, files and a job’s result are 410 as well from then on, and lists show nothing of it', async () => {
  const { accountId, caller } = await house.account();
  const document = makePdf([{ text: 'kept for a while' }]);
  const sent = await caller.ocr(ocrBody('pdf-text', document, { include: ['words'] }));
  const id = await moveBack(sent.body.request_id, 31);
  const job = `job_${id.slice(4)}`;
  await runSql(house.databaseUrl, `update ocr_request set job_id = '${job}' where id = '${id}'`);
  const files = ['text', 'hocr', 'alto'].map((format) => `/v1/ocr/${id}/output?format=${format}`);
  const paths = [`/v1/ocr/${id}`, `/v1/ocr/${id}/pages`, ...files, `/v1/ocr/jobs/${job}/result`];
  for (const path of paths) expect((await caller.get(path)).status, path).toBe(200);
  const listed = async () => {
    const asked = '{ requests(first: 10) { nodes { extractedTextPreview extractedText pageResults { text } } } }';
    return JSON.stringify((await ask(caller, asked)).data);
  };
  expect(await listed()).toContain('kept for a while');
  // The setting alone, before any purge.
  await runSql(house.databaseUrl, `update account set text_days = 30 where id = '${accountId}'`);
  for (const path of paths) {
    const reply = await caller.get(path);
    expectError(reply, 410, 'result_not_retained');
    expect(reply.text, path).not.toContain('kept for a while');
  }
  expect(await listed()).not.toContain('kept for a while');
  expect(await textsOf(id)).toBe(1);
  await house.admin.setRetention(accountId, 30);
  expect(await textsOf(id)).toBe(0);
});

it('is not passed by: what was open, or ended late, is deleted when its days are over', async () => {
  const { accountId, caller } = await house.account();
  house.engines.script('reader', says('deleted in the end'));
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await caller.ocr(await pictureBody())).body.request_id);
  const [open = '', before = '', late = '', after = ''] = await Promise.all(ids.map((id, i) => moveBack(id, 40 - i)));
  // What was accepted long ago may still be at work, or may have ended only now.
  await runSql(
    house.databaseUrl,
    `update ocr_request set finished_at = null, status = 'processing', lease_owner = 'elsewhere' where id = '${open}'`,
  );
  await runSql(house.databaseUrl, `update ocr_request set finished_at = now() where id = '${late}'`);
  const texts = () => Promise.all([open, before, late, after].map(textsOf));
  await house.admin.setRetention(accountId, 30);
  expect(await texts()).toEqual([1, 0, 1, 0]);
  await runSql(
    house.databaseUrl,
    `update ocr_request set finished_at = created_at, status = 'succeeded', lease_owner = null
     where id in ('${open}', '${late}')`,
  );
  await house.admin.setRetention(accountId, 30);
  expect(await texts()).toEqual([0, 0, 0, 0]);
});

it('a process that starts deletes what is over, side by side with another one, and counts it', async () => {
  const { accountId, caller } = await house.account();
  const sent = await Promise.all([1, 2, 3].map(async () => (await caller.ocr(await pictureBody())).body.request_id));
  const [young = '', ...old] = await Promise.all(sent.map((id, n) => moveBack(id, 29 + n)));
  await runSql(house.databaseUrl, `update account set text_days = 30 where id = '${accountId}'`);
  const options = { databaseUrl: house.databaseUrl, engines: [house.engines.entry('reader')] };
  const products = await Promise.all([hostProduct(options), hostProduct(options)]);
  await using stack = new AsyncDisposableStack();
  for (const product of products) stack.use(product);
  const purged = async () => {
    const texts = products.map(async ({ url }) => (await new Caller(url).get('/metrics')).text);
    return (await Promise.all(texts)).map(
      (text) => readMetrics(text).value('ocr_purged_total', { what: 'texts' }) ?? 0,
    );
  };
  await until('they are deleted', async () => (await Promise.all(old.map(textsOf))).every((texts) => texts === 0));
  const counted = await until('they are counted', async () => {
    const counts = await purged();
    return counts.some((n) => n > 0) && counts;
  });
  // By one of them; where both looked at the same moment, by each of them.
  expect(
    counted.every((n) => n === 0 || n === old.length),
    String(counted),
  ).toBe(true);
  expect(await textsOf(young)).toBe(1);
  for (const product of products) expect(product.logs()).not.toContain('not deleted yet');
});

it('results say until when they are kept', async () => {
  const { accountId, caller } = await house.account();
  await house.admin.setRetention(accountId, 10);
  const reply = await until('the key knows of it', async () => {
    const sent = await caller.ocr<Answer>(await pictureBody());
    return sent.body.retained_until !== undefined && sent;
  });
  const days = (Date.parse(reply.body.retained_until ?? '') - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(9.9);
  expect(days).toBeLessThanOrEqual(10);
  const read = await caller.get<Answer>(`/v1/ocr/${reply.body.request_id}`);
  const apart = Math.abs(Date.parse(read.body.retained_until ?? '') - Date.parse(reply.body.retained_until ?? ''));
  expect(apart).toBeLessThan(60_000);
  const batch = await caller.call<{ results: Answer[] }>('POST', '/v1/ocr/batch', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: [await pictureBody(), await pictureBody('reader', { store: false })] }),
  });
  const [kept, unkept] = batch.body.results;
  expect(Date.parse(kept?.retained_until ?? '')).toBeGreaterThan(Date.now() + 9.9 * DAY_MS);
  expect(unkept).not.toHaveProperty('retained_until');
});

it('is set by the account’s login or an operator, within bounds', async () => {
  const { accountId, caller } = await house.account();
  const operator = await house.account({ scopes: ['operator'] });
  const set = 'mutation ($days: Int, $of: ID) { setRetention(textDays: $days, accountId: $of) { id textDays } }';
  expect((await ask(caller, set, { days: 30 })).codes).toEqual(['insufficient_scope']);
  for (const days of [0, -1, 3651]) {
    expect((await ask(operator.caller, set, { days, of: accountId })).codes).toEqual(['invalid_request']);
  }
  const given = await ask(operator.caller, set, { days: 3650, of: accountId });
  expect(given.data).toEqual({ setRetention: { id: accountId, textDays: 3650 } });
  expect((await ask(operator.caller, set, { of: accountId })).data).toEqual({
    setRetention: { id: accountId, textDays: null },
  });
});

it('the hash of a document that came by a URL goes with the texts when history is turned off', async () => {
  const { accountId, caller } = await house.account();
  const id = (await caller.ocr(await pictureBody())).body.request_id;
  await runSql(house.databaseUrl, `update ocr_request set document_hash = 'of a document' where id = '${id}'`);
  await house.admin.setHistory(accountId, false);
  await until('the texts are gone', async () => (await textsOf(id)) === 0);
  const known = `select id from ocr_request where id = '${id}' and document_hash is not null`;
  expect(await readSql(house.databaseUrl, known)).toEqual([]);
});

it('messages that may quote what an engine said go with the texts when history is turned off, and others stay', async () => {
  const { accountId, caller } = await house.account();
  const words = 'it says kingfisher';
  house.engines.script('reader', refuses(words));
  const refused = (await caller.ocr(await pictureBody())).body.request_id;
  let calls = 0;
  house.engines.script('reader', () => (++calls === 1 ? says('the text') : refuses(words)));
  const drawn = { content: '0 g 9 9 300 40 re f' };
  const part = (await caller.ocr(ocrBody('reader', makePdf([drawn, drawn]), { page_count: 2 }))).body.request_id;
  house.engines.script('reader', cutsShort('the beginning'));
  const cut = (await caller.ocr(await pictureBody())).body.request_id;
  const rows = async (id: string) => {
    const of = `from ocr_page p where p.request_id = r.id`;
    const sql = `select r::text || (select coalesce(string_agg(p::text, ''), '') ${of})
      || (select string_agg(a::text, '') from attempt a where a.request_id = r.id) as all from ocr_request r where r.id = '${id}'`;
    return (await readSql<{ all: string }>(house.databaseUrl, sql))[0]?.all ?? '';
  };
  for (const id of [refused, part]) expect(await rows(id)).toContain('kingfisher');
  await house.admin.setHistory(accountId, false);
  await until('the texts are gone', async () => (await textsOf(part)) === 0);
  for (const id of [refused, part]) expect(await rows(id)).not.toContain('kingfisher');
  expect(await rows(refused)).toContain('The message was deleted with the texts of the account.');
  expect(await rows(cut)).toContain('output limit');
});
