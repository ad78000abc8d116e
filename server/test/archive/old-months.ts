import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { divideFrom, idAt, monthAhead, writeRows } from '../../../test/house/month-parts.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
/** Requests of each month. */
export const PER_MONTH = 30;

/** Ids of a month's requests, which is so many months from this one. */
export function idsOf(ahead: number): string[] {
  return Array.from({ length: PER_MONTH }, (_, n) => idAt(monthAhead(ahead), n + 1));
}

/** Gives a new database parts for past months, and ended requests with a page, a layout and an attempt each. */
export async function fillMonths(url: string, months: readonly number[]): Promise<void> {
  await divideFrom(url, Math.min(...months));
  await runSql(url, `insert into account (id, email, signing_secret) values ($1, 'a@example.com', 'x')`, [ACCOUNT]);
  const ids = months.flatMap(idsOf);
  await runSql(url, 'insert into wallet (account_id, requests) values ($1, $2)', [ACCOUNT, ids.length]);
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, text_retained, preview,
       finished_at, created_at)
     select id, $1, 'a', 'a', 'sync', '{}', 'succeeded', 'succeeded', 0, true, 'text', now(), now() from unnest($2::text[]) id`,
    [ACCOUNT, ids],
  );
  await writeRows(url, ids);
  // Counted long ago, whatever else the cluster does meanwhile.
  await runSql(url, `update attempt set recorded_xid = '3'`);
  await runSql(url, 'update roll_up_mark set recorded_before = pg_current_xact_id()');
}

/** The requests whose rows of a table stand in the database. */
export async function storedIds(url: string, table: string): Promise<string[]> {
  const rows = await readSql<{ id: string }>(url, `select request_id as id from ${table} order by 1`);
  return rows.map(({ id }) => id);
}

/** The requests whose rows of a table stand in the files of a folder. */
export async function archivedIds(folder: string, table: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.startsWith(`${table}_`)).toSorted()) {
    const [head = '', ...rows] = gunzipSync(await readFile(join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n');
    const column = head.split(',').indexOf('request_id');
    ids.push(...rows.map((row) => row.split(',')[column] ?? ''));
  }
  return ids.toSorted();
}
