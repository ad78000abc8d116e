import type { Pool } from '../../server/src/database/pool.ts';

/** Accounts with money, and ended and open requests that were paid: books that are in order, as many as are wished for. */
export async function fillBooks(
  pool: Pick<Pool, 'query'>,
  { accounts, requests }: { accounts: number; requests: number },
) {
  const accountOf = `('00000000-0000-4000-8000-' || lpad((1 + n % ${accounts})::text, 12, '0'))::uuid`;
  await pool.query(
    `insert into account (id, email, signing_secret)
     select id, id || '@books.test', 's' from (select ${accountOf} as id from generate_series(1, ${accounts}) n) a`,
  );
  await pool.query(
    `insert into ledger_transfer (account_id, kind, debit, credit, amount)
     select ${accountOf}, 'top_up', 'cash', 'wallet', 1000000000000 from generate_series(1, ${accounts}) n`,
  );
  await pool.query(
    `insert into ocr_request (id, account_id, key_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
       created_at, finished_at)
     select 'ocr_0' || lpad(n::text, 25, '0'), ${accountOf}, 'key_' || n % 3, 'a', (array['a', 'b'])[1 + n % 2], 'sync', '{}',
       case when n % 1000 = 0 then 'queued' when n % 50 = 0 then 'failed' else 'succeeded' end, 'processing', 10,
       case when n % 1000 = 0 then 0 else 10 end, case when n % 1000 = 0 then null else 1 end, at,
       case when n % 1000 = 0 then null else at end
     from (select n, now() - (30.0 * (${requests} - n) / ${requests}) * interval '1 day' as at
           from generate_series(1, ${requests}) n) one`,
  );
  await pool.query(
    `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, created_at)
     select account_id, 'charge', 'wallet', 'revenue', cost, id, finished_at from ocr_request where cost > 0`,
  );
  await pool.query(
    `insert into wallet (account_id, posted, held, spent, requests, pages)
     select account_id, 1000000000000 - sum(cost), coalesce(sum(hold) filter (where finished_at is null), 0), sum(cost), count(*),
       coalesce(sum(pages), 0) from ocr_request group by account_id`,
  );
}
