import { randomBytes } from 'node:crypto';
import { runJson } from '../../bench/child.ts';

/** The operator's commands come with the address of the database, so they share the key of its secrets with the product. */
export const SECRETS_KEY = randomBytes(32).toString('base64');

/** What an operator does with `npm run admin` while the service runs. */
export function adminOf(databaseUrl: string) {
  const admin = <Answer>(...args: string[]) =>
    runJson<Answer>(['server/dist/admin/main.js', ...args], { DATABASE_URL: databaseUrl, SECRETS_KEY });
  return {
    async makeAccount(creditUsd: number): Promise<{ accountId: string; apiKey: string }> {
      const wish = ['--email', 'durability@example.com', '--credit', String(creditUsd), '--tier', 'unlimited'];
      const { account_id: accountId } = await admin<{ account_id: string }>('account', 'create', ...wish);
      const { api_key: apiKey } = await admin<{ api_key: string }>('key', 'create', '--account', accountId);
      return { accountId, apiKey };
    },
    showAccount: (accountId: string) =>
      admin<{ balance_usd: number; held_usd: number }>('account', 'show', '--account', accountId),
    doctor: () => admin<{ ok: boolean; checks: unknown[] }>('doctor'),
  };
}
