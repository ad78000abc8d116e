import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';

const LEASE = '60 seconds';
const RENEW_MS = 15_000;

const TAKE = {
  name: 'export-lease-take',
  text: `insert into export_lease as e (account_id, holder, expires_at) values ($1, $2, now() + interval '${LEASE}')
         on conflict (account_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where e.expires_at < now() returning 1`,
};
const RENEW = {
  name: 'export-lease-renew',
  text: `update export_lease set expires_at = now() + interval '${LEASE}' where account_id = $1 and holder = $2`,
};
const RELEASE = {
  name: 'export-lease-release',
  text: 'delete from export_lease where account_id = $1 and holder = $2',
};

/**
 * The right to export an account, which one process at a time has: 400 for a second one. It runs out by itself when its
 * process dies.
 */
export async function takeExportLease(pool: Pool, accountId: string, holder: string): Promise<AsyncDisposable> {
  if ((await query(pool, TAKE, [accountId, holder])).length === 0) {
    throw new AppError(
      'invalid_request',
      'An export of this account is under way. Begin another one when it has ended.',
    );
  }
  const renewing = setInterval(() => void query(pool, RENEW, [accountId, holder]).catch(ignore), RENEW_MS).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await query(pool, RELEASE, [accountId, holder]).catch(ignore);
    },
  };
}

/** It runs out. */
function ignore(): void {}
