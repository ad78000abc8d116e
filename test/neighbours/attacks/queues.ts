import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '../../house/with-client.ts';
import type { Attack } from '../attack.ts';
import { aborted } from '../persist.ts';
import { PIXEL_INPUT, post } from './post.ts';

const QUEUED = { requests: 10_000, accounts: 2000 };

/**
 * More than `MAX_QUEUED` of the site lets in: what waits is put there as it would stand in an installation that takes it. The
 * engine answers in 50 ms and takes few at a time, so that the queue is claimed from all the while.
 */
export const longQueue: Attack = {
  name: 'ten thousand waiting requests of two thousand accounts',
  finding: 'B0',
  run: ({ databaseUrl, funded }, signal) =>
    withClient(databaseUrl, async (client) => {
      await post(funded, { engine: 'narrow', input: PIXEL_INPUT, mode: 'async' }, AbortSignal.timeout(30_000));
      try {
        await fill(client);
        await aborted(signal);
      } finally {
        await empty(client);
      }
    }),
};

/** Copies of the one that was accepted, with accounts, documents, and places in the queue as acceptance gives them. */
async function fill(client: Client): Promise<void> {
  await client.query('begin');
  await client.query(
    `with made as (
       insert into account (id, email, signing_secret)
       select gen_random_uuid(), 'waits-' || n || '@example.com', 'none' from generate_series(1, $1::int) n returning id
     )
     insert into wallet (account_id, posted) select id, 1000000000 from made`,
    [QUEUED.accounts],
  );
  await client.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, prices)
     select substr(r.id, 1, 14) || upper(substr(md5(n || a.id::text), 1, 16)), a.id, r.requested_engine, r.engine, r.mode, r.effective,
       'queued', 'processing', 0, r.prices
     from (select * from ocr_request where requested_engine = 'narrow' limit 1) r,
       (select id from account where email like 'waits-%') a, generate_series(1, $1::int) n`,
    [QUEUED.requests / QUEUED.accounts],
  );
  await client.query(`insert into stored_document (request_id, bytes) select id, $1 from ocr_request where ${WAITS}`, [
    Buffer.from(PIXEL_INPUT.data_base64, 'base64'),
  ]);
  await client.query(
    `insert into queued_request (request_id, engine, account_id, level, seq)
     select id, requested_engine, account_id, 1 + floor(log(2, row_number() over (partition by account_id order by id))),
       (extract(epoch from now()) * 1e6)::bigint + row_number() over (order by id)
     from ocr_request where ${WAITS}`,
  );
  await client.query('commit');
}

const WAITS = "requested_engine = 'narrow' and status = 'queued' and hold = 0";

/** What waits goes; what is at work ends by itself. */
async function empty(client: Client): Promise<void> {
  await client.query('rollback'); // of what was cut short
  await client.query("delete from queued_request where engine = 'narrow'");
  for (let tries = 0; tries < 10; tries++) {
    const { rowCount } = await client.query(`delete from ocr_request where ${WAITS}`);
    if (rowCount === 0) return;
    await sleep(100);
  }
}
