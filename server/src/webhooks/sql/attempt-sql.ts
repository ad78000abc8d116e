import { keepsText } from '../../accounts/store/history-sql.ts';
import { SIGNATURE_HEADER } from '../signing/signature.ts';
import { withoutUrl } from './left-sql.ts';

/**
 * Stores the body $3 of delivery $1 under fence $2, and renews the lease by $4. A body that was rendered before its request was
 * deleted is not stored: `is_discarded` is read from the locked row, so that no snapshot hides it. From now on the receiver may
 * get the delivery: `unsent` is 0.
 */
export const KEEP_BODY = {
  name: 'webhook-keep-body',
  text: `update webhook_delivery set body = case when not is_discarded then $3 end,
           unsent = 0, next_attempt_at = now() + $4::interval
         where id = $1 and fence = $2 and status = 'pending' and lease_owner is not null
         returning body is not null as "isKept"`,
};

/**
 * Ends an attempt, and adds it to the log. A delivery that is over keeps its body only if it is a ping or the account keeps
 * history; where its request was deleted, an unregistered URL goes as well, and no headers are logged. The signature is made of
 * the body, so it is logged only where the body may be kept.
 */
export const CLOSE = {
  name: 'webhook-close',
  text: `
  with closed as (
    update webhook_delivery d set status = $3, attempt = d.attempt + $4, webhook_id = coalesce($5, d.webhook_id),
      response_code = $6, latency_ms = $7, error = $8, lease_owner = null,
      next_attempt_at = now() + $9::interval, finished_at = case when $3 = 'pending' then null else now() end,
      body = case when $3 = 'pending' or d.request_id is null
        or ${keepsText('d.account_id', 'd.created_at')} then d.body end,
      ${withoutUrl('d', "d.is_discarded and $3 <> 'pending'")}
    where d.id = $1 and d.fence = $2 and d.status = 'pending' and d.lease_owner is not null
    returning d.id, d.account_id, d.webhook_id, d.round, d.attempt, d.request_id, d.created_at, d.is_discarded
  )
  insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, response_code, latency_ms, error,
    created_at, headers)
  select id, account_id, webhook_id, round, $4 * attempt, case when $3 = 'pending' then 'failed' else $3 end, $6, $7, $8, $10,
    case when is_discarded then null when request_id is null or ${keepsText('closed.account_id', 'closed.created_at')} then $11::jsonb
      else $11::jsonb - '${SIGNATURE_HEADER}' end
  from closed returning id`,
};

/** The time until the next try: a tenth of the delivery's age, at least a second, at most a minute. */
const PUT_OFF = `least(interval '1 minute', greatest(interval '1 second', (now() - created_at) / 10))`;

export const HAND_BACK = {
  name: 'webhook-hand-back',
  text: `update webhook_delivery set lease_owner = null,
           next_attempt_at = now() + case when $3::boolean then ${PUT_OFF} else interval '0' end
         where id = $1 and fence = $2 and status = 'pending' and lease_owner is not null`,
};
