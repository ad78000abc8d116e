import { type Pool, query } from '../pool.ts';

/** Tables whose rows belong to requests, and which grow for ever. */
export const DIVIDED_TABLES = ['attempt', 'ocr_page', 'page_layout'] as const;

/** A table that is divided by month, or will be. */
export interface DividedTable {
  readonly name: string;
  /** False until the undivided table of an earlier version has an end (`Migration20261123160000_months`). */
  readonly divided: boolean;
  /** How many of the months to come have a partition. */
  readonly ahead: number;
  /** Rows in no month's partition, counted up to `MOST_OUTSIDE`. */
  readonly outside: number;
}

/** The count of rows outside ends here. */
export const MOST_OUTSIDE = 10_001;

/** How many of the months to come should have a partition. */
const AHEAD = 3;
/** Fewest months to come that are in order: partitions are made within an hour after a month begins. */
const FEWEST = 2;

const STATE = {
  name: 'months-state',
  text: 'select whole as name, divided, ahead, outside::int as outside from request_parts()',
};

/** The tables that are divided by month, as they are now. */
export function dividedTables(pool: Pool): Promise<DividedTable[]> {
  return query<DividedTable>(pool, STATE, []);
}

/** Whether `divide_requests()` has something to do for the table. */
export function isDue({ divided, ahead }: DividedTable): boolean {
  return !divided || ahead < AHEAD;
}

/** Whether the partition of a month is missing, or will be soon, so that its rows go into the default one. */
export function isShort({ divided, ahead, outside }: DividedTable): boolean {
  return divided && (ahead < FEWEST || outside > 0);
}
