import DataLoader from 'dataloader';
import { keepsText } from '../../accounts/store/history-sql.ts';
import { type Pool, query } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import type { PackedLine, PackedTable, StoredLayout } from '../layout/stored-layout.ts';
import type { PositionTurns } from '../places/position-turns.ts';

/** What is stored of a request's pages, by their numbers. */
type ByPage<T> = ReadonlyMap<number, T>;

/** Where the text of pages stands, loaded for all requests of an answer at once; the lines are large, and come apart. */
export interface LayoutLoaders {
  readonly layouts: DataLoader<string, ByPage<StoredLayout>>;
  readonly lines: DataLoader<PageKey, readonly PackedLine[] | null, string>;
  readonly tables: DataLoader<PageKey, readonly PackedTable[] | null, string>;
}

interface PageKey {
  readonly requestId: string;
  readonly number: number;
}

const LAYOUTS = {
  name: 'layouts-of-requests',
  repeatable: true,
  text: `select request_id as "requestId", number, width, height, unit, dpi, text_angle as "textAngle", positions,
           located_by as "locatedBy"
         from page_layout where request_id = any($1::text[]) and request_id between $2 and $3`,
};

/** A column of pages whose texts are kept. */
function kept(column: 'lines' | 'tables') {
  return {
    name: `${column}-of-requests`,
    repeatable: true,
    text: `select l.request_id as "requestId", l.number, l.${column} as found, octet_length(l.${column}::text) as bytes
         from unnest($1::text[], $2::int[]) w(id, number)
         join (
           select id from ocr_request where id = any($1::text[])
             and ${keepsText('account_id', 'created_at', 'finished_at')} offset 0
         ) r on r.id = w.id
         join page_layout l on l.request_id = w.id and l.number = w.number and l.request_id between $3 and $4
         where l.${column} is not null`,
  };
}

type Row<T> = T & { readonly requestId: string; readonly number: number } & Record<string, unknown>;

export function layoutLoaders(pool: Pool, accountId: string, turns: PositionTurns): LayoutLoaders {
  return {
    layouts: new DataLoader(async (ids) => {
      const rows = await query<Row<StoredLayout>>(pool, LAYOUTS, [[...ids], ...rangeOfIds(ids)]);
      return byPage(ids, rows, ({ requestId: _id, number: _number, ...layout }) => ({ ...layout, lines: null }));
    }),
    lines: keptLoader<readonly PackedLine[]>(pool, 'lines', (load) => turns.load(accountId, load)),
    tables: keptLoader<readonly PackedTable[]>(pool, 'tables', (load) => turns.load(accountId, load)),
  };
}

/** Of pages whose positions are loaded at once. */
const PART = 20;

type InTurns = <T>(load: () => Promise<{ found: T; bytes: number }>) => Promise<T>;

function keptLoader<T>(
  pool: Pool,
  column: 'lines' | 'tables',
  inTurns: InTurns,
): DataLoader<PageKey, T | null, string> {
  const part = (keys: readonly PageKey[]) =>
    inTurns(async () => {
      const ids = keys.map(({ requestId }) => requestId);
      const wanted = [ids, keys.map(({ number }) => number), ...rangeOfIds(ids)];
      const rows = await query<Row<{ found: T; bytes: number }>>(pool, kept(column), wanted);
      const found = new Map(rows.map((row) => [keyOf(row), row.found]));
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
