import type { PoolClient } from 'pg';
import { query } from './pool.ts';

const SETTLED_UNTIL = {
  name: 'horizon-settled-until',
  text: 'select pg_snapshot_xmin(pg_current_snapshot()) as until',
};

const IS_FOREIGN = {
  name: 'horizon-is-foreign',
  text: 'select $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as foreign',
};

/** Every transaction before this one has ended: what it wrote is visible to the next statement, and nothing is added. */
export async function settledUntil(client: PoolClient): Promise<string> {
  const [row] = await query<{ until: string }>(client, SETTLED_UNTIL, []);
  if (!row) throw new Error('a function answers one row');
  return row.until;
}

/** Whether a transaction number is still to come here: it was brought by a dump of another cluster. */
export async function isForeign(client: PoolClient, mark: string): Promise<boolean> {
  const [row] = await query<{ foreign: boolean }>(client, IS_FOREIGN, [mark]);
  return row?.foreign ?? false;
}
