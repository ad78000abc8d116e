import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { hostProduct } from '../../../test/house/hosted-product.ts';
import { readMetrics } from '../../../test/house/metrics.ts';
import {
  DIVIDED,
  INSERT_PAGES,
  idAt,
  monthAhead,
  partName,
  partsOf,
  writeRows,
} from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { dividedTables } from '../../src/database/months/month-parts.ts';
import { divideRequests, MonthParts } from '../../src/database/months/months.job.ts';
import { isOutage } from '../../src/database/outage.ts';
import { openPool } from '../../src/database/pool.ts';
import { lowestId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const log = makeLog('silent');

/** Which parts each table has, with their bounds. */
const PARTS = `
  select i.inhparent::regclass::text as whole, c.relname as part, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = any('{ocr_page, attempt, page_layout}'::regclass[])
  order by 1, 2`;

/** Takes a month away, as if it had never been made; its rows with it. */
async function unmake(url: string, month: Date): Promise<void> {
  for (const table of DIVIDED) await runSql(url, `drop table ${partName(table, month)}`);
}

async function state(url: string) {
  const pool = openPool(url, { max: 1, log, kind: 'background' });
  try {
    return await dividedTables(pool);
  } finally {
    await pool.end();
  }
}

const allOf = (found: object) => DIVIDED.map((name) => ({ name, ...found }));

it('makes this month and three to come for a new database, with the bounds that the program’s ids have', async () => {
  const parts = await readSql<{ whole: string; part: string; bound: string }>(await createDatabase(), PARTS);
  const months = [0, 1, 2, 3].map((ahead) => monthAhead(ahead));
  for (const table of DIVIDED) {
    const bounds = parts.filter(({ whole }) => whole === table).map(({ part, bound }) => [part, bound]);
    expect(Object.fromEntries(bounds)).toEqual({
      [`${table}_before`]: `FOR VALUES FROM (MINVALUE) TO ('${lowestId('ocr_', monthAhead(0))}')`,
      [`${table}_default`]: 'DEFAULT',
      ...Object.fromEntries(
        months.map((month, n) => [
          partName(table, month),
          `FOR VALUES FROM ('${lowestId('ocr_', month)}') TO ('${lowestId('ocr_', monthAhead(n + 1))}')`,
        ]),
      ),
    });
  }
});

it('knows ids as the program does', async () => {
  const url = await createDatabase();
  const moments = [
    0,
    1,
    86_400_123,
    Date.UTC(2026, 11, 1),
    Date.UTC(2027, 0, 1) - 1,
    Date.UTC(2400, 1, 29, 23, 59, 59, 999),
  ];
  const rows = await readSql<{ id: string }>(
    url,
    `select lowest_request_id(timestamptz 'epoch' + ms * interval '1 millisecond') as id from unnest('{${moments.join(', ')}}'::bigint[]) with ordinality t(ms, n) order by n`,
  );
  expect(rows.map(({ id }) => id)).toEqual(moments.map((ms) => lowestId('ocr_', new Date(ms))));
});

it('puts each row into the month in which its request was accepted, to the millisecond', async () => {
  const url = await createDatabase();
  const begins = monthAhead(1);
  const [last, first] = [idAt(new Date(begins.getTime() - 1), 32 ** 9), idAt(begins)];
  const before = idAt(new Date(monthAhead(0).getTime() - 1));
  await writeRows(url, [last, first, before]);
  for (const table of DIVIDED) {
    expect(await partsOf(url, table)).toEqual({
      [before]: `${table}_before`,
      [last]: partName(table, monthAhead(0)),
      [first]: partName(table, begins),
    });
  }
});

it('keeps the rows of a month that is missing, and moves them when it is made', async () => {
  const url = await createDatabase();
  await unmake(url, monthAhead(3));
  const ids = Array.from({ length: 30 }, (_, n) => idAt(monthAhead(3), n));
  await writeRows(url, ids);
  for (const table of DIVIDED) {
    expect(new Set(Object.values(await partsOf(url, table)))).toEqual(new Set([`${table}_default`]));
  }
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 2, outside: 30 }));
  await divideRequests(url);
  for (const table of DIVIDED) {
    const parts = await partsOf(url, table);
    expect(Object.keys(parts)).toEqual(ids);
    expect(new Set(Object.values(parts))).toEqual(new Set([partName(table, monthAhead(3))]));
  }
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 3, outside: 0 }));
});

it('leaves so many rows where they are that moving them would keep everybody waiting', async () => {
  const url = await createDatabase();
  await unmake(url, monthAhead(3));
  await writeRows(
    url,
    Array.from({ length: 10_001 }, (_, n) => idAt(monthAhead(3), n)),
  );
  await divideRequests(url);
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 2, outside: 10_001 }));
  expect(await readSql(url, 'select count(*)::int as n from ocr_page')).toEqual([{ n: 10_001 }]);
});

it('gives a new part the settings of the others', async () => {
  const url = await createDatabase();
  await unmake(url, monthAhead(3));
  await runSql(
    url,
    'alter table ocr_page_default set (autovacuum_vacuum_threshold = 77, toast.autovacuum_vacuum_threshold = 78)',
  );
  await divideRequests(url);
  const options = (table: string) =>
    readSql(
      url,
      `select (select array_agg(o order by o) from unnest(c.reloptions) o) as own, t.reloptions as toast
       from pg_class c join pg_class t on t.oid = c.reltoastrelid where c.relname = '${table}'`,
    );
  const made = await options(partName('ocr_page', monthAhead(3)));
  expect(made).toEqual(await options('ocr_page_default'));
  expect(JSON.stringify(made)).toMatch(/autovacuum_vacuum_threshold=77.*autovacuum_vacuum_threshold=78/);
});

it('a row on its way while its month is attached is refused as in an outage, and finds its month the next time', async () => {
  const url = await createDatabase();
  await unmake(url, monthAhead(3));
  const [maker, writer] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  await Promise.all([maker.connect(), writer.connect()]);
  try {
    const id = idAt(monthAhead(3));
    await maker.query('begin');
    await maker.query('select divide_requests()'); // makes the first of the three, and holds its locks
    const refused = writer.query(INSERT_PAGES, [[id]]).then(
      () => null,
      (error: unknown) => error,
    );
    await until('the row waits', async () => {
      const waiting = `select 1 from pg_locks where not granted and relation = 'ocr_page_default'::regclass`;
      return (await readSql(url, waiting)).length > 0;
    });
    await maker.query('commit');
    const error = await refused;
    expect(error).toMatchObject({ code: '23514' });
    expect(isOutage(error)).toBe(true);
    await writer.query(INSERT_PAGES, [[id]]);
    expect(await partsOf(url, 'ocr_page')).toEqual({ [id]: partName('ocr_page', monthAhead(3)) });
    // What a check of the table itself refuses is none.
    const wrong = await runSql(
      url,
      `insert into attempt (id, request_id, number, engine, billing) values ('a', $1, 1, 'a', 'no')`,
      [id],
    ).catch((thrown: unknown) => thrown);
    expect(wrong).toMatchObject({ code: '23514' });
    expect(isOutage(wrong)).toBe(false);
  } finally {
    await Promise.all([maker.end(), writer.end()]);
  }
});

it('is made by a worker, and missed by `doctor` when it is due', async () => {
  const url = await createDatabase();
  const months = async () => {
    await using operator = await openHouseAdmin(url);
    const { ok, checks } = await operator.doctor();
    const check = checks.find(({ name }) => name === 'months are made ahead');
    return { ok, check: check?.ok, detail: check?.detail };
  };
  expect(await months()).toMatchObject({ ok: true, check: true, detail: expect.stringContaining('ocr_page 3 ahead') });
  for (const ahead of [3, 2, 1]) await unmake(url, monthAhead(ahead));
  expect(await months()).toMatchObject({ ok: false, check: false, detail: expect.stringContaining('attempt 0 ahead') });
  const pool = openPool(url, { max: 1, log, kind: 'background' });
  try {
    await using job = new MonthParts({ url, pool, log });
    job.start();
    await until('the months are there', async () => (await dividedTables(pool)).every(({ ahead }) => ahead === 3));
  } finally {
    await pool.end();
  }
  expect(await months()).toMatchObject({ ok: true, check: true });
});

it('shows months that are missing in its figures and its log, and goes on', async () => {
  const url = await createDatabase();
  for (const ahead of [3, 2]) await unmake(url, monthAhead(ahead));
  await writeRows(
    url,
    Array.from({ length: 5 }, (_, n) => idAt(monthAhead(2), n)),
  );
  await runSql(url, 'alter function divide_requests() rename to divide_requests_of_nobody');
  await using product = await hostProduct({ databaseUrl: url });
  await until('it says why', () => product.logs().includes('the months of requests were not made yet'));
  const told = product
    .logs()
    .split('\n')
    .filter((line) => line.includes('months of requests are missing'));
  expect(told.map((line) => JSON.parse(line))).toMatchObject(DIVIDED.map((table) => ({ table, ahead: 1, outside: 5 })));
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  const metrics = readMetrics(await (await fetch(`${product.url}/metrics`)).text());
  expect([metrics.value('ocr_months_ahead'), metrics.value('ocr_rows_without_month')]).toEqual([1, 5]);
});

it('what the runbook says moves more rows than a worker does, and makes the month that was passed over', async () => {
  const url = await createDatabase();
  for (const ahead of [3, 2, 1]) await unmake(url, monthAhead(ahead));
  const ids = Array.from({ length: 10_001 }, (_, n) => idAt(monthAhead(1), n));
  await writeRows(url, ids);
  await divideRequests(url);
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 3, outside: 10_001 }));
  const runbook = readFileSync(resolve(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
  const [, block = ''] = /## OcrMonthsMissing\n.*?```sql run\n(.*?)```/s.exec(runbook) ?? [];
  await runSql(url, block);
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 3, outside: 0 }));
  for (const table of DIVIDED) {
    const parts = Object.entries(await partsOf(url, table));
    expect(parts.map(([id]) => id)).toEqual(ids);
    expect(new Set(parts.map(([, part]) => part))).toEqual(new Set([partName(table, monthAhead(1))]));
  }
  await runSql(url, block); // nothing to do
  await unmake(url, monthAhead(3));
  await divideRequests(url);
  expect(await state(url)).toEqual(allOf({ divided: true, ahead: 3, outside: 0 }));
});
