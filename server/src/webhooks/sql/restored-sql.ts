import { keepsText } from '../../accounts/store/history-sql.ts';

/** Releases what was being sent when the backup was made: the next process sends it, and that attempt does not count. */
export const RELEASE_PENDING = `
  update webhook_delivery set lease_owner = null, next_attempt_at = now(), fence = fence + 1
  where status = 'pending' and lease_owner is not null`;

const WHY = 'Restored from a backup with --end: nothing was sent.';

/** Ends every pending delivery of a backup without sending it. Each says so in its log, and can be sent by hand. */
export const SKIP_PENDING = `
  with skipped as (
    update webhook_delivery d set status = 'skipped', error = '${WHY}', response_code = null, latency_ms = null,
      lease_owner = null, fence = d.fence + 1, finished_at = now(),
      body = case when d.request_id is null or ${keepsText('d.account_id', 'd.created_at')} then d.body end
    where d.status = 'pending' returning d.id, d.account_id, d.webhook_id, d.round
  )
  insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, error, created_at)
  select id, account_id, webhook_id, round, 0, 'skipped', '${WHY}', now() from skipped`;
