import { randomBytes } from 'node:crypto';
import { runJson } from '../../bench/child.ts';
import { type Admin, makeAccount, openHouseAdmin } from '../house/admin.ts';

/** The operator's commands come with the address of the database, so they share the key of its secrets with the product. */
export const SECRETS_KEY = randomBytes(32).toString('base64');

interface Operator {
  makeAccount(creditUsd: number): Promise<{ accountId: string; apiKey: string }>;
  showAccount(accountId: string): Promise<{ balance_usd: number; held_usd: number }>;
  doctor(): Promise<{ ok: boolean; checks: readonly unknown[] }>;
}

/** What an operator does while the service runs: at the desk of a run of tests, which saves a process for each command. */
export function adminOf(databaseUrl: string): Operator {
  return process.env['VITEST'] ? atDesk(databaseUrl) : byCommand(databaseUrl);
}

function atDesk(databaseUrl: string): Operator {
  async function ask<Answer>(command: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    await using admin = await openHouseAdmin(databaseUrl, [SECRETS_KEY]);
    return await command(admin);
  }
  return {
    makeAccount: (credit) => ask((admin) => makeAccount(admin, { credit })),
    showAccount: (accountId) => ask((admin) => admin.showAccount(accountId)),
    doctor: () => ask((admin) => admin.doctor()),
  };
}

/** With `npm run admin`. */
function byCommand(databaseUrl: string): Operator {
  const admin = <Answer>(...args: string[]) =>
    runJson<Answer>(['server/dist/admin/main.js', ...args], { DATABASE_URL: databaseUrl, SECRETS_KEY });
  return {
    async makeAccount(creditUsd) {
      const wish = ['--email', 'durability@example.com', '--credit', String(creditUsd), '--tier', 'unlimited'];
      const { account_id: accountId } = await admin<{ account_id: string }>('account', 'create', ...wish);
      const { api_key: apiKey } = await admin<{ api_key: string }>('key', 'create', '--account', accountId);
      return { accountId, apiKey };
    },
    showAccount: (accountId) => admin('account', 'show', '--account', accountId),
    doctor: () => admin('doctor'),
  };
}
