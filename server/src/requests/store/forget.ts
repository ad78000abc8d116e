import { keepsText } from '../../accounts/store/history-sql.ts';
import { isTooSlow } from '../../database/outage.ts';
import { type Pool, query } from '../../database/pool.ts';
import { SIGNATURE_HEADER } from '../../webhooks/signing/signature.ts';
import { FORGET_DELIVERY, FORGET_DELIVERY_ATTEMPT } from '../../webhooks/sql/left-sql.ts';
import { FORGET_ATTEMPT, FORGET_PAGE, FORGET_REQUEST, mayQuote, withoutHistory } from './texts/left-sql.ts';

/** Requests that one statement looks at; fewer when that takes too long. */
const BATCH = 1000;
/** Every statement that began before history was switched off has ended by then. */
const SECOND_PASS = '60 seconds';

/** The condition that `request_id` is among the ids of a step (a CTE). With their range, so that only their months are read. */
function idIn(step: string): string {
  return `request_id = any(array(select id from ${step}))
      and request_id between (select min(id) from ${step}) and (select max(id) from ${step})`;
}

/** A condition that always holds, by which rows are locked after those of a step that returns some: deletions go in this order, too. */
function after(step: string): string {
  return `(select count(*) from ${step}) >= 0`;
}

function quotes(id: string): string {
  return `(${id} = any(array(select id from quoting)))`;
}

const LEFT = withoutHistory(quotes('r.id'));

/**
 * Deletes the texts of the next requests of an account that has switched history off, in the order of their ids. There are two
 * passes over an account: the second finds what statements with an older snapshot have written after the first. Bodies of
 * webhooks hold previews, and messages may hold quotes; a body that is still being delivered goes when its delivery ends.
 */
const FORGET = {
  name: 'text-purge',
  text: `
  with task as materialized (
    select p.account_id, p.after_id, p.passes_left from text_purge p
    where p.due_at <= now() and ($1::uuid is null or p.account_id = $1)
    order by p.due_at limit 1 for update skip locked
  ),
  looked as materialized (
    select r.id, r.account_id, r.created_at from task t cross join lateral (
      select id, account_id, created_at from ocr_request
      where account_id = t.account_id and finished_at is not null and id > t.after_id
      order by id limit $2) r
  ),
  old as materialized (
    select r.id from looked r where ${keepsText('r.account_id', 'r.created_at')} is not true
  ),
  quoting as materialized (
    select distinct request_id as id from attempt where ${idIn('old')} and ${mayQuote('attempt')}
  ),
  pages as (
    update ocr_page set text = null, message = case when not ${quotes('request_id')} then message end
    where ${idIn('old')} and (text is not null or (message is not null and ${quotes('request_id')}))
  ),
  attempts as (update attempt set message = null where ${idIn('quoting')} and message is not null),
  layouts as (delete from page_layout where ${idIn('old')}),
  requests as (
    update ocr_request r set ${LEFT.assignments}
    where r.id = any(array(select id from old)) and ${LEFT.isDue}
    returning id
  ),
  bodies as (
    update webhook_delivery set body = null
    where request_id = any(array(select id from old)) and finished_at is not null and body is not null and ${after('requests')}
    returning id
  ),
  signatures as (
    update webhook_attempt set headers = headers - '${SIGNATURE_HEADER}'
    where delivery_id = any(array(select id from webhook_delivery where request_id = any(array(select id from old))))
      and headers ? '${SIGNATURE_HEADER}' and ${after('bodies')}
  ),
  pass as (select t.*, (select count(*) from looked) < $2 as is_over from task t),
  over as (
    delete from text_purge p using pass where p.account_id = pass.account_id and pass.is_over and pass.passes_left <= 1
  ),
  moved as (
    update text_purge p set
      after_id = case when pass.is_over then '' else (select max(id) from looked) end,
      passes_left = p.passes_left - pass.is_over::int,
      due_at = case when pass.is_over then now() + interval '${SECOND_PASS}' else p.due_at end
    from pass where p.account_id = pass.account_id and not (pass.is_over and pass.passes_left <= 1)
  )
  select not is_over as "hasMore" from pass`,
};

/** Does one step for the account (null: for any one that is due), and answers whether there is more to do now. */
export async function purgeTexts(pool: Pool, accountId: string | null): Promise<boolean> {
  return inSteps(BATCH, async (size) => {
    const [row] = await query<{ hasMore: boolean }>(pool, FORGET, [accountId, size]);
    return row !== undefined && (row.hasMore || accountId === null);
  });
}

/** Does a step. Where it takes too long (thousands of pages, or a locked row), it is done again with fewer requests. */
export async function inSteps<T>(most: number, take: (size: number) => Promise<T>): Promise<T> {
  for (let size = most; ; size = Math.ceil(size / 10)) {
    try {
      return await take(size);
    } catch (error) {
      if (!isTooSlow(error) || size === 1) throw error;
    }
  }
}

/** A caller in another process has the result of a discarded request by then. */
const DELIVERED = '10 seconds';
const DISCARDED_AT_ONCE = 200;

/**
 * Deletes what ended requests read and how they were asked for: the parts of a statement whose CTE `asked` has their ids. What
 * the books, the idempotency key and the lists need stays: ids, engine, mode, state, times, counts, costs, the fingerprint. A
 * webhook that is still to be sent has no more than that.
 */
export const DELETE = `
  gone as materialized (
    select id from ocr_request where id = any(array(select id from asked)) and finished_at is not null for update
  ),
  pages as (
    update ocr_page set ${FORGET_PAGE}
    where ${idIn('gone')} and (text is not null or message is not null)
  ),
  attempts as (
    update attempt set ${FORGET_ATTEMPT}
    where ${idIn('gone')} and (message is not null or usage is not null)
  ),
  passed as (delete from passing_text where request_id = any(array(select id from gone))),
  layouts as (delete from page_layout where ${idIn('gone')}),
  delivery as materialized (
    select id from webhook_delivery where request_id = any(array(select id from gone)) order by id for update
  ),
  bodies as (
    update webhook_delivery d set ${FORGET_DELIVERY}
    where d.id = any(array(select id from delivery))
  ),
  notes as (
    update webhook_attempt set ${FORGET_DELIVERY_ATTEMPT}
    where delivery_id = any(array(select id from delivery)) and (error is not null or headers is not null)
  ),
  forgotten as (
    update ocr_request r set ${FORGET_REQUEST}, deleted_at = coalesce(deleted_at, now())
    where r.id = any(array(select id from gone)) returning r.id
  )`;

const DELETE_ONE = {
  name: 'request-delete',
  text: `with asked as (select $1::text as id), ${DELETE} select id from forgotten`,
};

const DELETE_DISCARDED = {
  name: 'request-delete-discarded',
  text: `with asked as materialized (
    select id from ocr_request
    where discard and deleted_at is null and finished_at < now() - interval '${DELIVERED}'
    order by finished_at limit $1::int for update skip locked
  ), ${DELETE} select id from forgotten`,
};

/** Deletes what an ended request read and how it was asked for; nothing of one that has not ended. */
export async function forgetRequest(pool: Pool, id: string): Promise<void> {
  await query(pool, DELETE_ONE, [id]);
}

/** Does the same to the next ended requests that are marked `discard`; answers whether there may be more. */
export async function forgetDiscarded(pool: Pool): Promise<boolean> {
  return inSteps(DISCARDED_AT_ONCE, async (size) => (await query(pool, DELETE_DISCARDED, [size])).length === size);
}
