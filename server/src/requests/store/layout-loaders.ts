import DataLoader from 'dataloader';
import { keepsText } from '../../accounts/store/history-sql.ts';
import { type Pool, query, type Statement } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import { BYTES_OF_JSON, KeptLines, type LinesOfRow } from '../layout/kept-lines.ts';
import type { PackedTable, StoredLayout } from '../layout/stored-layout.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { Asker } from './texts/page-texts.ts';

/** Values of a request's pages, by page number. */
type ByPage<T> = ReadonlyMap<number, T>;

/** Layouts of pages, loaded for all requests of an answer at once. Lines and tables are large: they are loaded by themselves. */
export interface LayoutLoaders {
  readonly layouts: DataLoader<string, ByPage<StoredLayout>>;
  readonly lines: DataLoader<PageKey, KeptLines | null, string>;
  readonly tables: DataLoader<PageKey, readonly PackedTable[] | null, string>;
}

interface PageKey {
  readonly requestId: string;
  readonly number: number;
}

/** The requests among $1 whose texts are kept. */
const KEEPING = `(
           select o.id from ocr_request o where o.id = any($1::text[])
             and ${keepsText('o.account_id', 'o.created_at', 'o.finished_at')} offset 0
         )`;

const LAYOUTS = {
  name: 'layouts-of-requests',
  repeatable: true,
  text: `select request_id as "requestId", number, width, height, unit, dpi, text_angle as "textAngle", positions,
           located_by as "locatedBy"
         from ${KEEPING} r join page_layout l on l.request_id = r.id and l.request_id between $2 and $3`,
};

/**
 * A statement for lines or tables of pages ($1, $2: request ids and page numbers), where the account keeps the texts. `columns`
 * select them, with their size as `bytes`; `present` is the condition that a page has some.
 */
function kept({ name, columns, present }: { name: string; columns: string; present: string }) {
  return {
    name,
    repeatable: true,
    text: `select l.request_id as "requestId", l.number, ${columns}
         from unnest($1::text[], $2::int[]) w(id, number)
         join ${KEEPING} r on r.id = w.id
         join page_layout l on l.request_id = w.id and l.number = w.number and l.request_id between $3 and $4
         where ${present}`,
  };
}

const LINES = kept({
  name: 'lines-of-requests',
  columns: `l.lines, l.line_bytes as "lineBytes",
           coalesce(octet_length(l.line_bytes) * ${BYTES_OF_JSON}, octet_length(l.lines::text)) as bytes`,
  present: '(l.lines is not null or l.line_bytes is not null)',
});

const TABLES = kept({
  name: 'tables-of-requests',
  columns: 'l.tables, octet_length(l.tables::text) as bytes',
  present: 'l.tables is not null',
});

type Row<T> = T & { readonly requestId: string; readonly number: number };

export function layoutLoaders(pool: Pool, { party, hangUp }: Asker, turns: PositionTurns): LayoutLoaders {
  const inTurns: InTurns = (load) => turns.load(party, load, hangUp?.());
  return {
    layouts: new DataLoader(async (ids) => {
      const rows = await query<Row<StoredLayout>>(pool, LAYOUTS, [[...ids], ...rangeOfIds(ids)]);
      return byPage(ids, rows, ({ requestId: _id, number: _number, ...layout }) => ({ ...layout, lines: null }));
    }),
    lines: keptLoader((row: LinesOfRow) => KeptLines.ofRow(row), { pool, statement: LINES, inTurns }),
    tables: keptLoader((row: { tables: readonly PackedTable[] }) => row.tables, { pool, statement: TABLES, inTurns }),
  };
}

/** Pages that one statement loads. */
const PART = 20;

type InTurns = <T>(load: () => Promise<{ found: T; bytes: number }>) => Promise<T>;

function keptLoader<T, Kept extends object>(
  read: (row: Kept) => T | null,
  { pool, statement, inTurns }: { pool: Pool; statement: Statement; inTurns: InTurns },
): DataLoader<PageKey, T | null, string> {
  const part = (keys: readonly PageKey[]) =>
    inTurns(async () => {
      const ids = keys.map(({ requestId }) => requestId);
      const wanted = [ids, keys.map(({ number }) => number), ...rangeOfIds(ids)];
      const rows = await query<Row<Kept & { bytes: number }>>(pool, statement, wanted);
      const found = new Map(rows.map((row) => [keyOf(row), read(row)]));
      const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
      return { found: keys.map((key) => found.get(keyOf(key)) ?? null), bytes };
    });
  const all = async (keys: readonly PageKey[]) => {
    const found: (T | null)[] = [];
    for (let at = 0; at < keys.length; at += PART) found.push(...(await part(keys.slice(at, at + PART))));
    return found;
  };
  return new DataLoader(all, { cacheKeyFn: keyOf });
}

function keyOf({ requestId, number }: PageKey): string {
  return `${requestId} ${number}`;
}

function byPage<R extends { requestId: string; number: number }, T>(
  ids: readonly string[],
  rows: readonly R[],
  toValue: (row: R) => T,
): Map<number, T>[] {
  const found = new Map(ids.map((id) => [id, new Map<number, T>()]));
  for (const row of rows) found.get(row.requestId)?.set(row.number, toValue(row));
  return ids.map((id) => found.get(id) ?? new Map());
}
