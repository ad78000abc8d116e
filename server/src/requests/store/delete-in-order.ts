import { type Pool, queryOne, type Statement } from '../../database/pool.ts';
import { DELETE, inSteps } from './forget.ts';

/** Requests that one statement looks at; fewer when that takes too long. */
const AT_ONCE = 500;

/**
 * A statement for `deleteInOrder`: deletes what the next ended requests read and how they were asked for, in the order of their
 * ids. $1: the id behind which they are, $2: the value of `condition`, $3: how many to look at.
 */
export function deletionInOrder(name: string, condition: string): Statement {
  return {
    name,
    text: `with looked as materialized (
    select id, deleted_at from ocr_request where id > $1 and ${condition} order by id limit $3::int
  ),
  asked as materialized (select id from looked where deleted_at is null), ${DELETE}
  select (select max(id) from looked) as "afterId", (select count(*) = $3::int from looked) as "isMore",
    (select count(*)::int from forgotten) as deleted`,
  };
}

interface Step {
  readonly afterId: string | null;
  readonly isMore: boolean;
  readonly deleted: number;
}

/** Runs the statement until no request is left; answers how many were deleted. Throws the reason of `stop` between two steps. */
export async function deleteInOrder(
  pool: Pool,
  deletion: Statement,
  { value, from = '', stop }: { value: string; from?: string; stop?: AbortSignal | undefined },
): Promise<number> {
  let deleted = 0;
  for (let afterId: string | null = from; afterId !== null; ) {
    stop?.throwIfAborted();
    const step: Step = await nextStep(pool, deletion, { afterId, value });
    deleted += step.deleted;
    afterId = step.isMore ? step.afterId : null;
  }
  return deleted;
}

function nextStep(
  pool: Pool,
  deletion: Statement,
  { afterId, value }: { afterId: string; value: string },
): Promise<Step> {
  return inSteps(AT_ONCE, (size) => queryOne<Step>(pool, deletion, [afterId, value, size]));
}
