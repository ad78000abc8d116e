import type { PoolClient } from 'pg';
import { ACCOUNTS } from './cast.ts';
import { query } from './statement.ts';
import { accountId } from './write-cast.ts';

/** An account that owes is not topped up, so there is nothing to collect. */
const TOP_UP = {
  name: 'demo-top-up',
  text: `with written as (
           insert into ledger_transfer (account_id, kind, debit, credit, amount, idempotency_key, created_at)
           select account_id, 'top_up', 'cash', 'wallet', $2::bigint, $3, $4 from wallet where account_id = $1 and owed = 0
           on conflict (idempotency_key) where idempotency_key is not null do nothing returning account_id, amount
         )
         update wallet w set posted = w.posted + t.amount from written t where w.account_id = t.account_id`,
};

/** The credit that accounts bought on a day: every week, or on the very first day only; less of it for a share of the traffic. */
export async function writeTopUps(
  client: PoolClient,
  day: Date,
  { nth, share = 1 }: { nth: number; share?: number | undefined },
): Promise<void> {
  if (nth % 7 !== 0) return;
  for (const account of ACCOUNTS.filter(({ buysOnce }) => nth === 0 || !buysOnce)) {
    const id = accountId(account);
    const key = `demo ${id} ${day.toISOString().slice(0, 10)}`;
    await query(client, TOP_UP, [id, Math.round(share * account.weeklyUsd * 1e9), key, day]);
  }
}
