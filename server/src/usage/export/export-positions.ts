import { keepsText } from '../../accounts/store/history-sql.ts';
import { type Pool, query } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import { KeptLines, type LinesOfRow } from '../../requests/layout/kept-lines.ts';
import { pageTables } from '../../requests/layout/page-tables.ts';
import type { PackedTable } from '../../requests/layout/stored-layout.ts';
import { unpackLine } from '../../requests/layout/unpack-lines.ts';

/** Requests that are looked for pages at a time, and pages of them that are in memory. */
const REQUESTS_AT_ONCE = 100;
const PAGES_AT_ONCE = 5;

/** The next requests of an account whose texts may be read. $2: the id before, $3: how many, $4: the last one. */
const KEPT = {
  name: 'export-kept-requests',
  text: `
  select r.id, r.text_retained and ${keepsText('r.account_id', 'r.created_at', 'r.finished_at')} as keeps
  from ocr_request r
  where r.account_id = $1 and r.finished_at is not null and r.id > $2 and r.id <= $4 order by r.id limit $3`,
};

/** Pages of these requests with what stands where on them. $4, $5: the page before; what was deleted meanwhile is not there. */
const POSITIONS = {
  name: 'export-positions',
  text: `
  select l.request_id as "requestId", l.number as page, l.lines, l.line_bytes as "lineBytes", l.tables,
    case when l.tables is not null then p.text end as text
  from page_layout l
    join ocr_page p on p.request_id = l.request_id and p.number = l.number and p.request_id between $2 and $3
  where l.request_id = any($1::text[]) and l.request_id between $2 and $3 and (l.request_id, l.number) > ($4, $5::int)
    and (l.lines is not null or l.line_bytes is not null or l.tables is not null)
  order by l.request_id, l.number limit ${PAGES_AT_ONCE}`,
};

interface PageRow extends LinesOfRow {
  readonly requestId: string;
  readonly page: number;
  readonly tables: readonly PackedTable[] | null;
  readonly text: string | null;
}

/**
 * The pages of which it is known where their text stands, a line of JSON each, with lines, words and tables as the API has
 * them. Not among the pages of their requests: those of a long document would be in memory together.
 */
export async function* positionsOf(pool: Pool, accountId: string, last: string): AsyncGenerator<string> {
  type KeptRow = { readonly id: string; readonly keeps: boolean };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: KeptRow[] = await query<KeptRow>(pool, KEPT, [accountId, after, REQUESTS_AT_ONCE, last]);
    yield* pagesOf(
      pool,
      accountId,
      rows.filter(({ keeps }) => keeps).map(({ id }) => id),
    );
    after = rows.length === REQUESTS_AT_ONCE ? rows.at(-1)?.id : undefined;
  }
}

async function* pagesOf(pool: Pool, accountId: string, ids: readonly string[]): AsyncGenerator<string> {
  if (ids.length === 0) return;
  for (let [id, page] = ['', 0]; ; ) {
    const values = [ids, ...rangeOfIds(ids), id, page];
    const rows = await query<PageRow>(pool, POSITIONS, values);
    for (const row of rows) yield await lineOf(accountId, row);
    const before = rows.at(-1);
    if (!before || rows.length < PAGES_AT_ONCE) return;
    [id, page] = [before.requestId, before.page];
  }
}

async function lineOf(accountId: string, row: PageRow): Promise<string> {
  const { requestId, page, text, tables } = row;
  const lines = Array.from(KeptLines.ofRow(row) ?? [], (line) => unpackLine(line, { words: true }));
  return JSON.stringify({
    request_id: requestId,
    page,
    lines,
    tables: tables ? await pageTables(text, tables, accountId) : [],
  });
}
