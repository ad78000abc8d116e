import type { Client } from 'pg';

/**
 * Gives an account copies of its newest request for the engine `stuck`, with nothing held, in the queue as acceptance puts
 * them there; their ids.
 */
export async function waitingOf(client: Client, accountId: string, requests: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with one as (
       select * from ocr_request where account_id = $1::uuid and requested_engine = 'stuck' order by id desc limit 1
     ), made as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, prices)
       select substr(id, 1, 14) || upper(substr(md5(n || id || random()), 1, 16)), account_id, requested_engine, engine, mode, effective,
         'queued', 'processing', 0, prices
       from one, generate_series(1, $2::int) n returning id, account_id, requested_engine
     ), waits as (
       insert into queued_request (request_id, engine, account_id, level, seq)
       select id, requested_engine, account_id, 1 + floor(log(2, row_number() over (order by id))),
         (extract(epoch from now()) * 1e6)::bigint + row_number() over (order by id)
       from made
     )
     select id from made`,
    [accountId, requests],
  );
  return rows.map(({ id }) => id);
}

/** Takes those away of them that still wait. */
export async function removeWaiting(client: Client, ids: readonly string[]): Promise<void> {
  await client.query('delete from queued_request where request_id = any($1)', [ids]);
  await client.query("delete from ocr_request where id = any($1) and status = 'queued'", [ids]);
}
