import type { PoolClient } from 'pg';
import { queryOne } from './pool.ts';

const SETTLED_UNTIL = {
  name: 'horizon-settled-until',
  text: 'select pg_snapshot_xmin(pg_current_snapshot()) as until',
};

const IS_FOREIGN = {
  name: 'horizon-is-foreign',
  text: 'select $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as foreign',
};

/**
 * The number of the oldest transaction that may be under way. All before it have ended: what they wrote is visible to the next
 * statement, and they add nothing any more.
 */
export async function settledUntil(client: PoolClient): Promise<string> {
  return (await queryOne<{ until: string }>(client, SETTLED_UNTIL, [])).until;
}

/** Whether a transaction number is still to come in this cluster: a dump of another cluster has brought it. */
export async function isForeign(client: PoolClient, mark: string): Promise<boolean> {
  return (await queryOne<{ foreign: boolean }>(client, IS_FOREIGN, [mark])).foreign;
}
