import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, query } from '../../database/pool.ts';
import { lowestId } from '../../platform/ids.ts';
import { DAY_MS } from '../../platform/numbers/times.ts';
import { DELETE, inSteps } from './forget.ts';

const EXPIRED_AT_ONCE = 100;
/** A rest after each step, in multiples of the time that it took: deletion is not urgent, and requests go first. */
const RESTS = 4;

const WITH_RETENTION = {
  name: 'accounts-with-retention',
  text: 'select id, text_days as days from account where text_days is not null order by id',
};

/** How far a pass over an account has come. */
interface ExpiryPass {
  /** The last request that was looked at; null at the beginning. */
  readonly afterId: string | null;
  /** Whether no request so far is still to be deleted later: the next pass may begin behind them. */
  readonly isClear: boolean;
}

/**
 * Deletes the texts of an account's next requests, in the order of their ids, where they ended more than $2 days ago. $3: an id
 * above those of all requests that were accepted so long ago. $4: how many to look at. $5 and $6: `afterId` and `isClear` of the
 * pass. `text_expiry` remembers where the next pass begins: before the first request that is open, or ended too recently.
 */
const DELETE_EXPIRED = {
  name: 'request-delete-expired',
  text: `with looked as materialized (
    select id, deleted_at is null as is_there, finished_at < now() - make_interval(days => $2::int) as is_old
    from ocr_request
    where account_id = $1 and finished_at is not null and id < $3
      and id > coalesce($5, (select after_id from text_expiry where account_id = $1), '')
    order by id limit $4::int
  ),
  open as materialized (
    select id from ocr_request where status = 'queued' and account_id = $1
    union all select id from ocr_request where status = 'processing' and account_id = $1
  ),
  seen as materialized (select max(id) as last_id, count(*) as n from looked),
  kept as materialized (
    select least((select min(id) from looked where not is_old), (
      select min(id) from open where id <= (select last_id from seen))) as id
  ),
  over as materialized (
    select max(id) as id from looked where $6::boolean and id < coalesce((select id from kept), 'p')
  ),
  asked as materialized (select id from looked where is_old and is_there),
  moved as (
    insert into text_expiry as e (account_id, after_id) select $1, id from over where id is not null
    on conflict (account_id) do update set after_id = greatest(e.after_id, excluded.after_id)
  ), ${DELETE}
  select (select last_id from seen) as "afterId", (select id is null from kept) as "isClear",
    (select n = $4::int from seen) as "isMore", (select count(*)::int from forgotten) as deleted`,
};

/** The accounts that keep texts for a number of days only. */
export function accountsWithRetention(pool: Pool): Promise<{ id: string; days: number }[]> {
  return query(pool, WITH_RETENTION, []);
}

/** Deletes what an account's requests read, where it is older than the account keeps it; answers for how many requests. */
export async function forgetExpired(
  pool: Pool,
  account: { id: string; days: number },
  stop?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  let pass: ExpiryPass | null = { afterId: null, isClear: true };
  while (pass && !stop?.aborted) {
    const began = performance.now();
    const step: ExpiryStep = await forgetStep(pool, account, pass);
    deleted += step.deleted;
    pass = step.next;
    await rest(RESTS * (performance.now() - began), stop);
  }
  return deleted;
}

/** Ends early at a stop. */
async function rest(ms: number, stop?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, stop && { signal: stop }).catch(() => undefined);
}

interface ExpiryStep {
  readonly deleted: number;
  /** Null when the pass is over. */
  readonly next: ExpiryPass | null;
}

async function forgetStep(
  pool: Pool,
  { id, days }: { id: string; days: number },
  { afterId, isClear: wasClear }: ExpiryPass,
): Promise<ExpiryStep> {
  type Row = { deleted: number; afterId: string | null; isClear: boolean; isMore: boolean };
  const since = lowestId('ocr_', new Date(Date.now() - days * DAY_MS));
  return inSteps(EXPIRED_AT_ONCE, async (size) => {
    const [row] = await query<Row>(pool, DELETE_EXPIRED, [id, days, since, size, afterId, wasClear]);
    if (!row?.isMore) return { deleted: row?.deleted ?? 0, next: null };
    return { deleted: row.deleted, next: { afterId: row.afterId, isClear: wasClear && row.isClear } };
  });
}
