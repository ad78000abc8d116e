import { type Pool, query } from '../../database/pool.ts';
import { DELETE, inSteps } from '../store/forget.ts';

const AT_ONCE = 500;

const DELETE_RANGE = {
  name: 'requests-delete-range',
  text: `with looked as materialized (
    select id, deleted_at from ocr_request where id > $1 and id < $2 order by id limit $3::int
  ),
  asked as materialized (select id from looked where deleted_at is null), ${DELETE}
  select (select max(id) from looked) as "afterId", (select count(*) = $3::int from looked) as "isMore",
    (select count(*)::int from forgotten) as deleted`,
};

interface Step {
  readonly afterId: string | null;
  readonly isMore: boolean;
  readonly deleted: number;
}

/** Deletes what the ended requests from one id up to another read and how they were asked for; answers of how many. */
export async function forgetRange(
  pool: Pool,
  { low, high }: { low: string; high: string },
  stop?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  // Without its last character: before the lowest id, and behind all that are lower.
  for (let afterId: string | null = low.slice(0, -1); afterId !== null; ) {
    stop?.throwIfAborted();
    const step: Step = await forgetNext(pool, afterId, high);
    deleted += step.deleted;
    afterId = step.isMore ? step.afterId : null;
  }
  return deleted;
}

function forgetNext(pool: Pool, afterId: string, high: string): Promise<Step> {
  return inSteps(AT_ONCE, async (size) => {
    const [step] = await query<Step & Record<string, unknown>>(pool, DELETE_RANGE, [afterId, high, size]);
    if (!step) throw new Error('an aggregate answers one row');
    return step;
  });
}
