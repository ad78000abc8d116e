import { type Pool, query } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import type { ArchiveStream } from './archive-stream.ts';
import type { ExportedLines } from './export-messages.ts';
import { positionsOf } from './export-positions.ts';
import { ACCOUNT, BEHIND_ALL, type ExportedTable, PAGES, REQUESTS, SMALL_TABLES, TRANSFERS } from './export-sql.ts';

/** Rows of one statement. */
const BATCH = 100;
/** Text of pages that is in memory at a time; a request whose pages have more comes alone. */
const PAGES_BYTES = 512 * 1024;

interface Row {
  readonly key: string;
  readonly line: string;
}

/**
 * Everything that an account has, as NDJSON files. It is read by short statements from key to key, and not in one
 * transaction: who reads slowly would hold a snapshot for hours. What begins after the export did is not in it; nor
 * are requests that have not ended.
 */
export async function writeExport(pool: Pool, accountId: string, archive: ArchiveStream): Promise<ExportedLines> {
  type AccountRow = { line: string; lastTransfer: string; lastRequest: string };
  const [account] = await query<AccountRow>(pool, ACCOUNT, [accountId]);
  if (!account) throw new Error('There is no such account.');
  const { lastTransfer, lastRequest } = account;
  await archive.add('account.json', Buffer.from(`${account.line}\n`));
  const lines: Record<string, number> = {};
  for (const table of SMALL_TABLES) {
    lines[table.file] = await archive.addLines(table.file, linesOf(pool, accountId, table, BEHIND_ALL));
  }
  lines['ledger'] = await archive.addLines('ledger', linesOf(pool, accountId, TRANSFERS, lastTransfer));
  lines['requests'] = await archive.addLines('requests', requestsOf(pool, accountId, lastRequest));
  lines['positions'] = await archive.addLines('positions', positionsOf(pool, accountId, lastRequest));
  // Whoever has this file has all of the others.
  await archive.add('manifest.json', Buffer.from(`${JSON.stringify({ lines })}\n`));
  return lines;
}

async function* linesOf(
  pool: Pool,
  accountId: string,
  { statement, first }: ExportedTable,
  last: string,
): AsyncGenerator<string> {
  for (let after: string | undefined = first; after !== undefined; ) {
    const values = [accountId, after, BATCH, last];
    const rows: Row[] = await query<Row>(pool, statement, values);
    for (const { line } of rows) yield line;
    after = rows.length === BATCH ? rows.at(-1)?.key : undefined;
  }
}

async function* requestsOf(pool: Pool, accountId: string, last: string): AsyncGenerator<string> {
  type RequestRow = Row & { size: number };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const values = [accountId, after, BATCH, last];
    const rows: RequestRow[] = await query<RequestRow>(pool, REQUESTS, values);
    for (const some of inPortions(rows)) yield* withPages(pool, some);
    after = rows.length === BATCH ? rows.at(-1)?.key : undefined;
  }
}

async function* withPages(pool: Pool, requests: readonly Row[]): AsyncGenerator<string> {
  const ids = requests.map(({ key }) => key);
  const rows = await query<{ id: string; pages: string }>(pool, PAGES, [ids, ...rangeOfIds(ids)]);
  const pages = new Map(rows.map((row) => [row.id, row.pages]));
  for (const { key, line } of requests) {
    // The line is an object of JSON that has properties: one more goes before its end.
    yield `${line.slice(0, -1)}, "page_results" : ${pages.get(key) ?? '[]'}}`;
  }
}

/** Neighbours whose pages' texts are in memory together. */
function* inPortions<T extends { readonly size: number }>(rows: readonly T[]): Generator<T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (portion.length > 0 && bytes + row.size > PAGES_BYTES) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(row);
    bytes += row.size;
  }
  if (portion.length > 0) yield portion;
}
