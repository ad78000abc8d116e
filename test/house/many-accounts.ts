import { runSql } from './sql.ts';

/** Stores so many accounts (`long000001@example.com` and on), each with a wallet, without a password and keys. */
export async function makeManyAccounts(databaseUrl: string, count: number): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into account (id, email, signing_secret)
     select gen_random_uuid(), 'long' || lpad(n::text, 6, '0') || '@example.com', 'whsec_x' from generate_series(1, $1::int) n`,
    [count],
  );
  await runSql(
    databaseUrl,
    `insert into wallet (account_id, posted) select id, 1 from account where email like 'long%'`,
  );
}
