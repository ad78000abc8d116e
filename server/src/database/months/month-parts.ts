import { type Pool, query } from '../pool.ts';

/** What hangs on a request, and grows for ever. */
export const DIVIDED_TABLES = ['attempt', 'ocr_page', 'page_layout'] as const;

/** A table that is divided by month, or will be. */
export interface DividedTable {
  readonly name: string;
  /** False until the table of before has an end (`Migration20261123160000_months`). */
  readonly divided: boolean;
  /** Months to come that have a part. */
  readonly ahead: number;
  /** Rows without a month, counted up to `MOST_OUTSIDE`. */
  readonly outside: number;
}

/** More are not counted. */
export const MOST_OUTSIDE = 10_001;

/** So many months to come are to have a part. */
const AHEAD = 3;
/** With fewer something is wrong: a month is made within an hour of the one that begins. */
const FEWEST = 2;

const STATE = {
  name: 'months-state',
  text: 'select whole as name, divided, ahead, outside::int as outside from request_parts()',
};

/** The tables that are divided by month, as they are now. */
export function dividedTables(pool: Pool): Promise<DividedTable[]> {
  return query<DividedTable & Record<string, unknown>>(pool, STATE, []);
}

/** Whether there is something to do about a table. */
export function isDue({ divided, ahead }: DividedTable): boolean {
  return !divided || ahead < AHEAD;
}

/** Whether a month is missing, or is about to be, so that its rows stand with those of no month. */
export function isShort({ divided, ahead, outside }: DividedTable): boolean {
  return divided && (ahead < FEWEST || outside > 0);
}
