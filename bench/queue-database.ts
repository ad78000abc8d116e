import { Client } from 'pg';
import { migrate } from '../server/dist/database/orm.js';
import { openPool, type Pool } from '../server/dist/database/pool.js';
import { makeLog } from '../server/dist/platform/logging/log.js';
import { LeaseExpiry } from '../server/dist/requests/store/lease-expiry.js';
import { Leases } from '../server/dist/requests/store/leases.js';
import { Queue } from '../server/dist/requests/store/queue.js';
import { FILL_ACCOUNTS, FILL_DOCUMENTS, FILL_QUEUE, FILL_REQUESTS } from './fill-queue.ts';

const LEASE_MS = 10_000;
const SWEEPS = 50;
const ENGINE = { id: 'instant' };

export interface QueueSize {
  readonly requests: number;
  readonly accounts: number;
}

/** A database of its own with a queue in it, and the statements of the product that work on it. */
export interface QueueDatabase extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  /** Queues so many requests, the accounts one after the other, and again. */
  fill(size: QueueSize, document?: Buffer): Promise<void>;
  /** When each request that has ended did so, in milliseconds, the first one first. */
  ended(): Promise<number[]>;
  /** The median claim, while so many processes claim and give back. */
  claimMs(load: { claimers: number; places: number; seconds: number }): Promise<number>;
  /** The median of what a sweep asks every two seconds. */
  sweepMs(): Promise<number>;
  /** What a sweep asks every ten seconds at most. */
  wholeLookMs(): Promise<number>;
}

/** A new one, unless it `stays` from one run of the bench to the next. */
export async function openQueueDatabase(
  clusterUrl: string,
  name: string,
  { stays = false }: { stays?: boolean } = {},
): Promise<QueueDatabase> {
  await using stack = new AsyncDisposableStack();
  const url = await makeDatabase(clusterUrl, name, stays);
  await migrate(url);
  const client = stack.adopt(new Client({ connectionString: url }), (open) => open.end());
  await client.connect();
  // One connection each, opened before there is anything to plan for, as in a process that starts with an empty queue.
  const claimers = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const pool = stack.adopt(openPool(url, { max: 1, log: makeLog('silent') }), (open) => open.end());
      const leases = new Leases(pool, { owner: `claimer-${i}`, leaseMs: LEASE_MS });
      await leases.claim(ENGINE, 1);
      return { pool, leases };
    }),
  );
  const owned = stack.move();
  const [first] = claimers;
  if (!first) throw new Error('there is no claimer');
  const { pool, leases } = first;
  return {
    url,
    client,
    async fill({ requests, accounts }, document = Buffer.from('none')) {
      await client.query(FILL_ACCOUNTS, [accounts]);
      await client.query(FILL_REQUESTS, [requests, accounts, ENGINE.id]);
      await client.query(FILL_DOCUMENTS, [document]);
      await client.query(FILL_QUEUE);
      await client.query('create table queue_copy as select * from queued_request');
      await client.query('create index on queue_copy (request_id)');
      await client.query('vacuum analyze');
    },
    async ended() {
      const { rows } = await client.query<{ at: number }>(
        `select extract(epoch from finished_at)::float8 * 1000 as at from ocr_request
         where finished_at is not null order by finished_at`,
      );
      return rows.map(({ at }) => at);
    },
    async claimMs({ claimers: count, places, seconds }) {
      const end = performance.now() + 1000 * seconds;
      const each = claimers.slice(0, count).map(async (claimer) => {
        const latencies: number[] = [];
        while (performance.now() < end || latencies.length < 5) {
          const started = performance.now();
          const { claimed } = await claimer.leases.claim(ENGINE, places);
          latencies.push(performance.now() - started);
          await putBack(
            claimer.pool,
            claimed.map(({ request }) => request.id),
          );
        }
        return latencies;
      });
      return median((await Promise.all(each)).flat());
    },
    async sweepMs() {
      const expiry = new LeaseExpiry(pool, { owner: 'claimer-0' });
      const queue = new Queue(pool);
      await leases.claim(ENGINE, 0); // as the worker has looked before
      const sweeps: number[] = [];
      for (let i = 0; i < SWEEPS; i++) {
        const started = performance.now();
        await expiry.dead();
        await queue.waiting([ENGINE.id], (id) => leases.boundsOf(id));
        sweeps.push(performance.now() - started);
      }
      return median(sweeps);
    },
    async wholeLookMs() {
      const started = performance.now();
      await new LeaseExpiry(pool, { owner: 'claimer-0' }).adopt();
      await new Queue(pool).reconcile();
      leases.lookEverywhere();
      await leases.claim(ENGINE, 0);
      return performance.now() - started;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function makeDatabase(clusterUrl: string, name: string, stays: boolean): Promise<string> {
  const cluster = new Client({ connectionString: clusterUrl });
  await cluster.connect();
  const { rows } = await cluster.query('select from pg_database where datname = $1', [name]);
  if (!stays) await cluster.query(`drop database if exists ${name} with (force)`);
  if (!stays || rows.length === 0) await cluster.query(`create database ${name}`);
  await cluster.end();
  return Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href;
}

/** What was claimed waits again, behind the others of its level, as the next request of its account would. */
async function putBack(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query("update ocr_request set status = 'queued', lease_owner = null where id = any($1)", [ids]);
  await pool.query(
    `insert into queued_request select request_id, engine, account_id, level, (extract(epoch from clock_timestamp()) * 1e6)::bigint
     from queue_copy where request_id = any($1)`,
    [ids],
  );
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
