import type { QueueDatabase } from './queue-database.ts';

export type { QueueSize } from './queue-database.ts';

const BATCH = 1000;

/** Accepts, queues, claims and ends requests by the thousand, as fast as the database takes them. */
export class HeldQueue {
  readonly #database: QueueDatabase;

  constructor(database: QueueDatabase) {
    this.#database = database;
  }

  async pass(requests: number): Promise<void> {
    for (let from = 0; from < requests; from += BATCH) await this.#batch(`x${from}_`);
  }

  async #batch(prefix: string): Promise<void> {
    const { client } = this.#database;
    await client.query(
      `with accepted as (
         insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
         select $1 || n, account_id, requested_engine, engine, mode, effective, 'queued', 'processing', 0
         from generate_series(1, $2::int) n, (select * from ocr_request order by id limit 1) one
         returning id, requested_engine, account_id
       )
       insert into queued_request (request_id, engine, account_id, level, seq)
       select id, requested_engine, account_id, 1 + abs(hashtext(id)) % 4, (extract(epoch from clock_timestamp()) * 1e6)::bigint - 60000000
       from accepted`,
      [prefix, BATCH],
    );
    const like = [`${prefix}%`];
    await client.query(
      `update ocr_request set status = 'processing', lease_owner = 'gone', lease_expires_at = now() where id like $1`,
      like,
    );
    await client.query('delete from queued_request where request_id like $1', like);
    await client.query(
      `update ocr_request set status = 'succeeded', outcome = 'succeeded', finished_at = now() where id like $1`,
      like,
    );
  }
}
