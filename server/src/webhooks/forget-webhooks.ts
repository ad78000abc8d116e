import { type Pool, query } from '../database/pool.ts';

/** Deletes the registrations of account $1, and $2 of its deliveries with their attempts (by cascade). */
const FORGET = {
  name: 'webhooks-forget-account',
  text: `with registered as (delete from webhook where account_id = $1)
         delete from webhook_delivery where id = any(array(
           select id from webhook_delivery where account_id = $1 order by id limit $2)) returning id`,
};

const AT_ONCE = 1000;

export async function forgetWebhooks(pool: Pool, accountId: string): Promise<void> {
  while ((await query(pool, FORGET, [accountId, AT_ONCE])).length === AT_ONCE);
}
