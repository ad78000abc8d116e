import { keepsText } from '../../accounts/store/history-sql.ts';
import { withoutUrl } from './left-sql.ts';

const COLUMNS = `
  d.id, d.account_id as "accountId", d.webhook_id as "webhookId", d.request_id as "requestId", d.url, d.origin, d.event,
  d.is_failure as "isFailure", d.engine, d.cost, d.trace, d.body, d.is_discarded as "isDiscarded", d.status, d.round, d.attempt, d.fence,
  d.created_at as "createdAt"`;

const LOST = 'Whether it arrived is unknown: the process that sent it ended.';
const UNSENT = 'Nothing was sent: process after process ended before it could send it.';

/**
 * Whether the receiver may have got `d` before its lease ran out, as SQL. Processes of the version before leave `unsent` as it
 * is: what they have sent has a body.
 */
const WAS_SENT = 'd.lease_owner is not null and (d.unsent = 0 or d.body is not null)';

/**
 * Claims due deliveries, line by line: a line is the deliveries of one account to one receiver. Each line with free places gets
 * its oldest, however many wait in others; at a receiver the accounts take turns.
 * A lease that ran out belonged to a process that died, or that could not write the end down. Where the receiver may have got the
 * delivery, that attempt counts, and after the last one the delivery fails. Where nothing was sent, the claim counts in `unsent`,
 * so that no delivery ends one process after the other for ever.
 * $1 owner, $2 lease, $3 most deliveries; $4 to $6: places of a receiver, an account and a line; $7 to $9: how many of them are
 * taken, as JSON; $10: most attempts; $11: most claims in a row with nothing sent.
 */
export const CLAIM = {
  name: 'webhook-claim',
  text: `
  with recursive line(origin, account_id) as (
    (select origin, account_id from webhook_delivery where status = 'pending' order by origin, account_id limit 1)
    union all
    select next.origin, next.account_id from line l cross join lateral (
      select d.origin, d.account_id from webhook_delivery d
      where d.status = 'pending' and (d.origin, d.account_id) > (l.origin, l.account_id)
      order by d.origin, d.account_id limit 1) next
  ),
  place as (
    select origin, account_id, coalesce(($9::jsonb ->> (account_id || ' ' || origin))::int, 0) as busy,
      $4::int - coalesce(($7::jsonb ->> origin)::int, 0) as of_receiver,
      $5::int - coalesce(($8::jsonb ->> account_id::text)::int, 0) as of_account
    from line
  ),
  due as materialized (
    select d.id, d.next_attempt_at, p.origin, p.account_id, p.of_receiver, p.of_account,
      p.busy + row_number() over (partition by p.origin, p.account_id order by d.next_attempt_at) as turn
    from place p cross join lateral (
      select id, next_attempt_at from webhook_delivery
      where status = 'pending' and origin = p.origin and account_id = p.account_id and next_attempt_at <= now()
      order by next_attempt_at limit greatest(0, least(p.of_receiver, p.of_account, $6::int - p.busy))) d
  ),
  ranked as (
    select id, next_attempt_at, of_receiver, of_account,
      row_number() over (partition by origin order by turn, next_attempt_at) as at_receiver,
      row_number() over (partition by account_id order by turn, next_attempt_at) as for_account
    from due
  ),
  candidate as materialized (
    select id from ranked where at_receiver <= of_receiver and for_account <= of_account
    order by next_attempt_at limit $3
  ),
  next as materialized (
    select d.id, d.lease_owner, d.round, d.attempt, d.webhook_id, d.account_id, ${WAS_SENT} as was_sent,
      d.lease_owner is not null and case when ${WAS_SENT} then d.attempt + 1 >= $10::int else d.unsent >= $11::int end as is_over
    from webhook_delivery d
    where d.id = any(array(select id from candidate)) and d.status = 'pending' and d.next_attempt_at <= now()
    for update skip locked
  ),
  lost as (
    insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, error, created_at)
    select id, account_id, webhook_id, round, case when was_sent then attempt + 1 else 0 end, 'failed',
      case when was_sent then '${LOST}' else '${UNSENT}' end, now()
    from next where was_sent or is_over
  ),
  over as (
    update webhook_delivery d set status = 'failed', attempt = d.attempt + n.was_sent::int, lease_owner = null,
      fence = d.fence + 1, response_code = null, latency_ms = null,
      error = case when n.was_sent then '${LOST}' else '${UNSENT}' end, finished_at = now(),
      body = case when d.request_id is null or ${keepsText('d.account_id', 'd.created_at')} then d.body end,
      ${withoutUrl('d', 'd.is_discarded')}
    from next n where d.id = n.id and n.is_over
  )
  update webhook_delivery d set lease_owner = $1, fence = d.fence + 1, next_attempt_at = now() + $2::interval,
    attempt = d.attempt + n.was_sent::int,
    unsent = case when d.body is not null then 0 when n.lease_owner is null or n.was_sent then 1 else d.unsent + 1 end
  from next n where d.id = n.id and not n.is_over
  returning ${COLUMNS},
    (select a.signing_secret from account a where a.id = d.account_id) as "accountSecret",
    coalesce((
      select json_agg(json_build_object('id', w.id, 'secret', w.signing_secret, 'isActive', w.is_active, 'events', w.events,
        'former', json_build_object('previous', w.previous_secret, 'previousUntil', w.previous_secret_until, 'older', w.older_secrets))
        order by w.created_at, w.id)
      from webhook w
      where w.account_id = d.account_id and case when d.event = 'webhook.test' then w.id = d.webhook_id else w.url = d.url end
    ), '[]') as registrations`,
};
