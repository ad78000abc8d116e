import { runJson } from '../../bench/child.ts';

/** What an operator does with `npm run admin` while the service runs. */
export function adminOf(databaseUrl: string) {
  const admin = <Answer>(...args: string[]) =>
    runJson<Answer>(['server/dist/admin/main.js', ...args], { DATABASE_URL: databaseUrl });
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
