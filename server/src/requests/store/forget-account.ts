import { type Pool, query } from '../../database/pool.ts';
import { IS_OPEN } from '../model/states.ts';
import { deleteInOrder, deletionInOrder } from './delete-in-order.ts';

/** Whichever process works on them ends them, and keeps nothing. */
const END_OPEN = {
  name: 'requests-end-account',
  text: `update ocr_request set discard = true, cancel_requested_at = coalesce(cancel_requested_at, now())
         where id = any(array(
           select id from ocr_request where status = 'queued' and account_id = $1
           union all select id from ocr_request where status = 'processing' and account_id = $1)) and ${IS_OPEN}
         returning id`,
};

const DELETE_ENDED = deletionInOrder('requests-delete-account', 'account_id = $2 and finished_at is not null');

/**
 * Deletes what all ended requests of an account read and how they were asked for, and cancels the open ones. Answers how many
 * were deleted, and how many were open.
 */
export async function forgetAccount(pool: Pool, accountId: string): Promise<{ deleted: number; open: number }> {
  const open = await query(pool, END_OPEN, [accountId]);
  return { deleted: await deleteInOrder(pool, DELETE_ENDED, { value: accountId }), open: open.length };
}
