import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { idAt, monthAhead } from '../../../test/house/month-parts.ts';
import { runSql } from '../../../test/house/sql.ts';
import type { Caller } from '../../src/accounts/callers/caller.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { BUILT_IN } from '../../src/engines/built-in.ts';
import { makeCatalogue } from '../../src/engines/make-catalogue.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { OcrRequest } from '../../src/requests/model/ocr-request.ts';
import { PageLists } from '../../src/requests/show/page-lists.ts';
import { Results } from '../../src/requests/show/results.ts';
import { RequestLookup } from '../../src/requests/store/find.ts';
import { LargeRequestPages } from '../../src/requests/store/large-request-pages.ts';
import { StoredPages } from '../../src/requests/store/stored-pages.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const id = idAt(monthAhead(0));
const running = idAt(monthAhead(0), 2);
const BEFORE = 3;
const PART = { size: 100, skipped: 0 };
const BEHIND = { size: 100, skipped: 500 };

const RESULT = {
  ...{ engine: 'tesseract', latencyMs: 1, blank: false, warnings: [] },
  reading: { ending: { kind: 'ok' }, pages: [], billed: 'no' },
  page: { number: 1, text: 'text' },
};
const FINISH = `insert into job_page (request_id, number, result)
  select $1, coalesce(max(number), 0) + 1, $2::jsonb || jsonb_build_object('number', coalesce(max(number), 0) + 1)
  from job_page where request_id = $1`;
const STORE = `insert into ocr_page (request_id, number, engine, source, state, text)
  select $1, coalesce(max(number), 0) + 1, 'a', 'engine', 'read', 'text' from ocr_page where request_id = $1`;

let url: string;
let pool: Pool;

const finish = () => runSql(url, FINISH, [running, RESULT]);
const store = () => runSql(url, STORE, [id]);

beforeAll(async () => {
  url = await createDatabase();
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, text_retained, finished_at)
     values ($1, $2, 'a', 'a', 'async', '{}', 'succeeded', 'succeeded', 0, true, now())`,
    [id, ACCOUNT],
  );
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, job_id)
     values ($1, $2, 'a', 'a', 'async', '{}', 'processing', 'processing', 0, 'job_1')`,
    [running, ACCOUNT],
  );
  for (let n = 0; n < BEFORE; n++) {
    await finish();
    await store();
  }
  pool = openPool(url, { max: 2, log: makeLog('silent') });
});
afterAll(() => pool.end());

/** The pool, with a page that is made before each statement, one after the other. */
function whilePagesAreMade(make: () => Promise<unknown>): Pool {
  let turn: Promise<unknown> = Promise.resolve();
  function ask<Row>(statement: QueryConfig): Promise<Row[]> {
    const answer = turn.then(make).then(() => pool.ask<Row>(statement));
    turn = answer;
    return answer;
  }
  return Object.assign(Object.create(pool), { ask }) as Pool;
}

const request = Object.assign(new OcrRequest(), { id: running, prices: null });
const catalogue = makeCatalogue(BUILT_IN, { secrets: {}, cores: 1, engineLimitMs: 60_000 });

it('the number of finished pages is that of the moment at which they are read', async () => {
  const pages = new LargeRequestPages(whilePagesAreMade(finish), catalogue);
  const slice = await pages.finishedPages(request, PART);
  expect([slice?.pages.length, slice?.pages[0]?.text]).toEqual([slice?.total, 'text']);
  const behind = await pages.finishedPages(request, BEHIND);
  expect(behind).toEqual({ pages: [], total: expect.any(Number) });
  expect(behind?.total).toBeGreaterThan(slice?.total ?? BEFORE);
});

it('the number of stored pages is that of the moment at which they are read', async () => {
  const making = whilePagesAreMade(store);
  const pages = new StoredPages(making, { pool: making, turns: new TextTurns() });
  const slice = await pages.slice(id, { ...PART, party: ACCOUNT });
  expect([slice.pages.length, slice.pages[0]?.text]).toEqual([slice.total, 'text']);
  expect(Object.keys(slice.pages[0] ?? {})).not.toContain('total');
  const behind = await pages.slice(id, { ...BEHIND, party: ACCOUNT });
  expect(behind).toEqual({ pages: [], total: expect.any(Number) });
  expect(behind.total).toBeGreaterThan(slice.total);
  for (const none of [idAt(monthAhead(0), 1), 'ocr_none']) {
    expect(await pages.slice(none, { ...PART, party: ACCOUNT })).toEqual({ pages: [], total: 0 });
  }
});

it('a list of the pages of a job that ends meanwhile is that of the request as it has ended', async () => {
  const ending = Object.assign(Object.create(pool), {
    ask: async (statement: QueryConfig) => {
      if (statement.name === 'job-pages-finished') await end();
      return pool.ask(statement);
    },
  }) as Pool;
  const stored = new StoredPages(pool, { pool, turns: new TextTurns() });
  const lists = new PageLists(new Results(new RequestLookup(pool)), stored, new LargeRequestPages(ending, catalogue));
  const caller = { accountId: ACCOUNT, history: true } as Caller; // all that is asked of it
  const list = await lists.list({ caller }, running, { include: [], page: 1, perPage: 2 });
  expect([list.status, list.data.length, list.total]).toEqual(['succeeded', 2, BEFORE]);
});

/** Ends the job as a settlement does. */
async function end(): Promise<void> {
  await runSql(
    url,
    `with journal as (delete from job_page where request_id = $1),
     done as (
       update ocr_request set status = 'succeeded', outcome = 'succeeded', text_retained = true, finished_at = now() where id = $1
     )
     insert into ocr_page (request_id, number, engine, source, state, text)
     select $1, number, 'a', 'engine', 'read', 'text' from generate_series(1, $2::int) number`,
    [running, BEFORE],
  );
}
