import { type Pool, query } from '../../database/pool.ts';
import { IS_OPEN } from '../model/states.ts';
import { DELETE, inSteps } from './forget.ts';

const AT_ONCE = 500;

/** Whichever process has them ends them, and keeps nothing. */
const END_OPEN = {
  name: 'requests-end-account',
  text: `update ocr_request set discard = true, cancel_requested_at = coalesce(cancel_requested_at, now())
         where id = any(array(
           select id from ocr_request where status = 'queued' and account_id = $1
           union all select id from ocr_request where status = 'processing' and account_id = $1)) and ${IS_OPEN}
         returning id`,
};

const DELETE_ENDED = {
  name: 'requests-delete-account',
  text: `with looked as materialized (
    select id, deleted_at from ocr_request
    where account_id = $1 and finished_at is not null and id > $2 order by id limit $3::int
  ),
  asked as materialized (select id from looked where deleted_at is null), ${DELETE}
  select (select max(id) from looked) as "afterId", (select count(*) = $3::int from looked) as "isMore",
    (select count(*)::int from forgotten) as deleted`,
};

/**
 * Deletes what all requests of an account read and how they were asked for, and has the open ones cancelled. Answers of how
 * many it was deleted, and how many are still open.
 */
export async function forgetAccount(pool: Pool, accountId: string): Promise<{ deleted: number; open: number }> {
  const open = await query(pool, END_OPEN, [accountId]);
  let deleted = 0;
  for (let afterId: string | null = ''; afterId !== null; ) {
    const step: Step = await forgetNext(pool, accountId, afterId);
    deleted += step.deleted;
    afterId = step.isMore ? step.afterId : null;
  }
  return { deleted, open: open.length };
}

interface Step {
  readonly afterId: string | null;
  readonly isMore: boolean;
  readonly deleted: number;
}

function forgetNext(pool: Pool, accountId: string, afterId: string): Promise<Step> {
  return inSteps(AT_ONCE, async (size) => {
    const [step] = await query<Step & Record<string, unknown>>(pool, DELETE_ENDED, [accountId, afterId, size]);
    if (!step) throw new Error('an aggregate answers one row');
    return step;
  });
}
