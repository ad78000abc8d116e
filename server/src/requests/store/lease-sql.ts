import { selectionOf } from '../../database/columns.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { transitionSql } from '../model/states.ts';
import { NOW_US, returnToQueue } from './queue-levels.ts';

/**
 * Looked at for one claim, and most that one takes: others may be claiming the same ones. Fixed numbers, so that the
 * planner knows what the statement costs and keeps one plan for it.
 */
const CANDIDATES = 48;
const MOST = 32;
/** Documents up to this size come with the claim; many larger ones at once would fill the memory. */
const SMALL_BYTES = 65_536;
/** A row can become visible this much later than its place in the queue says; what comes later still waits for a look at everything. */
const LATE_US = 2_000_000;
const CLAIMS = transitionSql('claim', 'r');
const HANDS_BACK = transitionSql('handBack');
/**
 * By its id: beside millions that have ended the planner takes the index of the queued for empty, and would read all of it
 * for each claim.
 */
const WAITS = CLAIMS.fromOfRow;
/** Begins at the very first row. */
export const NOT_BEFORE_US = '0';

/**
 * Takes what waits first. $5 to $7: the levels, from where each is read, and by how much each is behind; $8: accounts
 * that begin nothing now. Answers one row for each request, or one of nulls, each with the number of candidates and with
 * the bounds for the next claim: below them no request of that level waits.
 *
 * A claim need not wait for the disk: a crash of the database that takes it back only has the request run again, and of
 * two that hold it then, the first to end it does.
 */
export const CLAIM = {
  name: 'lease-claim',
  text: `
  with level as materialized (
    select level, bound, handicap from unnest($5::int[], $6::bigint[], $7::bigint[]) as t(level, bound, handicap)
  ),
  ahead as materialized (
    select q.request_id, l.level, q.seq, q.seq + l.handicap as turn
    from level l cross join lateral (
      select request_id, seq from queued_request
      where engine = $1 and level = l.level and seq >= l.bound and account_id <> all($8::uuid[]) order by seq limit ${CANDIDATES}) q
  ),
  candidate as materialized (
    select request_id, turn from ahead order by turn, request_id limit ${CANDIDATES}
  ),
  next as materialized (
    select q.request_id, set_config('synchronous_commit', 'off', true)
    from queued_request q join ocr_request r on r.id = q.request_id
    where q.request_id = any(array(select request_id from candidate)) and ${WAITS}
    order by array_position(array(select request_id from candidate order by turn, request_id), q.request_id)
    limit least($2::int, ${MOST}) for update of q, r skip locked
  ),
  stale as materialized (
    select q.request_id from queued_request q
    where q.request_id = any(array(select request_id from candidate))
      and not exists (select from ocr_request r where r.id = q.request_id and ${WAITS})
    for update of q skip locked
  ),
  dequeued as (
    delete from queued_request
    where request_id = any(array(select request_id from next union all select request_id from stale))
  ),
  claimed as (
    update ocr_request r set status = ${CLAIMS.to}, lease_owner = $3, lease_expires_at = now() + $4::interval,
      fence = r.fence + 1, starts = r.starts + 1, started_at = now(), first_started_at = coalesce(r.first_started_at, r.started_at)
    where r.id = any(array(select request_id from next)) returning ${selectionOf(OcrRequest, 'r')},
      (select d.bytes from stored_document d where d.request_id = r.id and octet_length(d.bytes) <= ${SMALL_BYTES}) as bytes
  )
  select (select count(*)::int from candidate) as found,
    (select array_agg(coalesce((select min(a.seq) from ahead a where a.level = l.level), ${NOW_US}) - ${LATE_US}
      order by l.level) from level l) as bounds,
    c.*
  from (select) one left join claimed c on true`,
};

/** What a process holds. */
export const HELD = {
  name: 'lease-held-by',
  text: `select id, fence from ocr_request where status = 'processing' and lease_owner = $1`,
};

export const HAND_BACK = {
  name: 'lease-hand-back',
  text: `with returned as (
           update ocr_request set status = ${HANDS_BACK.to}, lease_owner = null, lease_expires_at = null, fence = fence + 1,
             starts = starts - 1
           where id = $1 and fence = $2 and lease_owner = $3 and ${HANDS_BACK.from}
           returning id, requested_engine, account_id, suspicion
         )
         ${returnToQueue('returned')}`,
};
