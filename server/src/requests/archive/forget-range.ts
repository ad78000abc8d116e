import type { Pool } from '../../database/pool.ts';
import { deleteInOrder, deletionInOrder } from '../store/delete-in-order.ts';

const DELETE_RANGE = deletionInOrder('requests-delete-range', 'id < $2');

/** Deletes what the ended requests from `low` up to, not including, `high` read and how they were asked for; answers how many. */
export function forgetRange(
  pool: Pool,
  { low, high }: { low: string; high: string },
  stop?: AbortSignal,
): Promise<number> {
  // Without its last character an id is below itself, and above all lower ids of its length.
  return deleteInOrder(pool, DELETE_RANGE, { from: low.slice(0, -1), value: high, stop });
}
