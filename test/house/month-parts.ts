import { readSql, runSql } from './sql.ts';

/** Tables that are divided by month. */
export const DIVIDED = ['ocr_page', 'attempt', 'page_layout'] as const;

/** The month that begins so many months after this one, UTC. */
export function monthAhead(ahead: number, now = new Date()): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
}

/** The part of a table for a month. */
export function partName(table: string, month: Date): string {
  return `${table}_${month.toISOString().slice(0, 7).replace('-', '')}`;
}

/** Gives a new database, in which nothing is stored yet, parts from this month on (`-3`: three months ago), as one has that is in use since. */
export async function divideFrom(databaseUrl: string, first: number): Promise<void> {
  for (const table of DIVIDED) {
    await runSql(databaseUrl, `alter table ${table} detach partition ${table}_before`);
    const before = `alter table ${table} attach partition ${table}_before for values from (minvalue)`;
    await runSql(databaseUrl, `${before} to ('${idAt(monthAhead(first))}')`);
    for (let ahead = first; ahead < 0; ahead++) {
      const part = partName(table, monthAhead(ahead));
      await runSql(databaseUrl, `select make_part('${table}', '${part}', '${table}_default')`);
      const bounds = `from ('${idAt(monthAhead(ahead))}') to ('${idAt(monthAhead(ahead + 1))}')`;
      await runSql(databaseUrl, `alter table ${table} attach partition ${part} for values ${bounds}`);
    }
  }
}

/** An id that a request of this moment could have. */
export function idAt(moment: Date, nth = 0): string {
  return `ocr_${inBase32(moment.getTime(), 10)}${inBase32(nth, 16)}`;
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function inBase32(value: number, places: number): string {
  let text = '';
  for (let rest = value; text.length < places; rest = Math.floor(rest / 32)) text = DIGITS.charAt(rest % 32) + text;
  return text;
}

/** A page and an attempt of a request, as a settlement writes them. */
export async function writeRows(databaseUrl: string, ids: readonly string[]): Promise<void> {
  await runSql(databaseUrl, INSERT_PAGES, [ids]);
  await runSql(databaseUrl, INSERT_ATTEMPTS, [ids]);
  await runSql(databaseUrl, INSERT_LAYOUTS, [ids]);
}

export const INSERT_PAGES = `
  insert into ocr_page (request_id, number, engine, source, state, text)
  select id, 1, 'a', 'engine', 'read', 'text of ' || id from unnest($1::text[]) id`;
const INSERT_ATTEMPTS = `
  insert into attempt (id, request_id, number, engine, outcome, billing)
  select 'att_' || substr(id, 5), id, 1, 'a', 'ok', 'settled' from unnest($1::text[]) id`;
const INSERT_LAYOUTS = `
  insert into page_layout (request_id, number, width, height, unit, positions)
  select id, 1, 10, 10, 'px', 'none' from unnest($1::text[]) id`;

/** In which part of a table each request's rows are. */
export async function partsOf(databaseUrl: string, table: string): Promise<Record<string, string>> {
  const rows = await readSql<{ id: string; part: string }>(
    databaseUrl,
    `select request_id as id, tableoid::regclass::text as part from ${table} order by 1`,
  );
  return Object.fromEntries(rows.map(({ id, part }) => [id, part]));
}
