import { readSql } from '../house/sql.ts';

/** A request as the database has it at the end. */
export interface Row {
  readonly id: string;
  readonly language: string;
  readonly mode: 'sync' | 'async';
  readonly status: string;
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly costNanoUsd: number;
  readonly starts: number;
  /** Counts its leases, and each time that one was given or taken back. */
  readonly fence: number;
  readonly isFinished: boolean;
  /** Somebody has asked for its cancellation. */
  readonly isMarked: boolean;
  /** It ended by that. */
  readonly isCancelled: boolean;
  readonly isDeleted: boolean;
  readonly pages: readonly PageRow[];
  readonly webhookUrl: string | null;
  /** Milliseconds since 1970, as the next one. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** What became of one page. */
interface PageRow {
  readonly number: number;
  readonly state: string;
  readonly code: string | null;
}

const ROWS = `
  select r.id, r.effective->>'language' as language, r.mode, r.status, r.outcome, r.error_code as "errorCode",
    r.cost::float8 as "costNanoUsd", r.starts, r.fence, r.finished_at is not null as "isFinished",
    r.cancel_requested_at is not null as "isMarked", r.cancelled_at is not null as "isCancelled",
    r.deleted_at is not null as "isDeleted", r.effective->>'webhookUrl' as "webhookUrl",
    extract(epoch from r.created_at)::float8 * 1000 as "createdAt",
    extract(epoch from r.finished_at)::float8 * 1000 as "finishedAt",
    coalesce((select json_agg(json_build_object('number', p.number, 'state', p.state, 'code', p.code) order by p.number)
      from ocr_page p where p.request_id = r.id), '[]') as pages
  from ocr_request r where r.account_id = $1 order by r.id`;

const OPEN = `
  select (select count(*) from ocr_request where finished_at is null or (discard and deleted_at is null))::int
       + (select count(*) from webhook_delivery where status = 'pending')::int as open`;

const TABLES = `
  select quote_ident(table_name) as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE'`;

/** The rows of one account. One that was deleted has lost its language: `languages` has it, by the id that its sender knows. */
export async function readRows(
  databaseUrl: string,
  accountId: string,
  languages: ReadonlyMap<string, string>,
): Promise<Row[]> {
  const rows = await readSql<Omit<Row, 'language'> & { language: string | null }>(databaseUrl, ROWS, [accountId]);
  return rows.map((row) => ({ ...row, language: row.language ?? languages.get(row.id) ?? 'deleted' }));
}

/** Requests and deliveries that have not ended, and requests that are still to be deleted. */
export async function countOpen(databaseUrl: string): Promise<number> {
  return (await readSql<{ open: number }>(databaseUrl, OPEN))[0]?.open ?? 0;
}

/** A number that stands in a row. */
export interface Found {
  readonly table: string;
  readonly number: number;
  /** The request of which the row is; null: it names none. */
  readonly requestId: string | null;
}

/** Every number that follows one of the words anywhere in the database, with where it stands. */
export async function readNumbersAfter(databaseUrl: string, words: readonly string[]): Promise<Found[]> {
  const tables = await readSql<{ name: string }>(databaseUrl, TABLES);
  const searches = tables.map(
    ({ name }) => `select '${name}' as "table", found[1]::int as number,
        substring(t::text from 'ocr_[0-9A-Z]{26}') as "requestId"
      from ${name} t cross join lateral regexp_matches(t::text, $1, 'g') as m(found)`,
  );
  return readSql<Found>(databaseUrl, searches.join(' union all '), [`(?:${words.join('|')})(\\d{1,7})`]);
}
