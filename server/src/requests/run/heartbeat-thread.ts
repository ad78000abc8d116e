import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { FromHeartbeat, HeartbeatData, HeldAnswer, ToHeartbeat } from './heartbeat-messages.ts';
import { BEAT_AT, STARTED, TICK } from './heartbeat-messages.ts';

/** Between two tries while the database does not answer. */
const RETRY_MS = 500;
const STATEMENT_MS = 3000;
/** Somewhat more, so that it is the database that ends a statement. */
const ANSWER_MS = 3500;
/** A look at what is held rests this many times what it took. */
const REST = 20;
/** Plans that go by keys, as everywhere; a beat that a crash takes back is made again before anybody looks. */
const OPTIONS = `-c enable_seqscan=off -c jit=off -c synchronous_commit=off -c statement_timeout=${STATEMENT_MS}`;

const BEAT = `
  insert into lease_holder as h (owner, expires_at, running, engines)
  values ($1, clock_timestamp() + make_interval(secs => $2::float8 / 1000), $3::jsonb, $4::text[])
  on conflict (owner) do update set expires_at = excluded.expires_at, running = excluded.running, engines = excluded.engines`;

/**
 * What the database says that this process holds. Processes of an older version go by the end that stands with each
 * request, which is moved on, except where another session is just ending the request.
 */
const HELD = {
  name: 'lease-held',
  text: `
  with held as materialized (
    select id, fence, lease_expires_at, cancel_requested_at is not null as cancelled from ocr_request where status = 'processing' and lease_owner = $1
  ),
  free as materialized (
    select r.id from ocr_request r
    where r.id = any(array(select id from held where lease_expires_at < now() + make_interval(secs => $2::float8 / 1400)))
      and r.status = 'processing' and r.lease_owner = $1
    for no key update skip locked
  ),
  moved as (
    update ocr_request r set lease_expires_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
    where r.id = any(array(select id from free))
  )
  select id, fence, cancelled from held`,
};

const LEAVE = 'delete from lease_holder where owner = $1';

const { url, owner, leaseMs, engineIds, stallMs, shared } = workerData as HeartbeatData;
const cells = new Int32Array(shared);

const link: { client: pg.Client | null } = { client: null };
let running: Readonly<Record<string, number>> = {};
const leaving = new AbortController();
let seenTick = -1;
let tickedAt = performance.now();
let nextLook = 0;

parentPort?.on('message', (message: ToHeartbeat) => {
  if (message.kind === 'running') running = message.running;
  else leaving.abort();
});

while (!leaving.signal.aborted) {
  const began = performance.now();
  const isWell = await beat();
  const restMs = isWell ? leaseMs / 3 - (performance.now() - began) : RETRY_MS;
  await sleep(Math.max(RETRY_MS / 5, restMs), undefined, { signal: leaving.signal }).catch(() => undefined);
}
await link.client?.query(LEAVE, [owner]).catch(() => undefined); // else its lease runs out
await link.client?.end().catch(() => undefined);
parentPort?.close();

/** One beat, and a look at what is held; false when the database did not take the beat. */
async function beat(): Promise<boolean> {
  if (!mainLives()) return true;
  try {
    link.client ??= await connect();
    await link.client.query(BEAT, [owner, leaseMs, JSON.stringify(running), engineIds]);
    Atomics.store(cells, BEAT_AT, seconds());
    tell({ kind: 'beaten' });
  } catch (error) {
    tell({ kind: 'failed', message: messageOf(error) });
    leaveConnection();
    return false;
  }
  if (performance.now() >= nextLook) await look(link.client);
  return true;
}

/**
 * Never rejects: the lease is renewed, whatever becomes of this. Old snapshots can make it slow, and a process whose beats
 * count as failed buries no dead one.
 */
async function look(open: pg.Client): Promise<void> {
  const startedBefore = Atomics.load(cells, STARTED);
  const began = performance.now();
  try {
    const { rows } = await open.query<HeldAnswer['held'][number]>({ ...HELD, values: [owner, leaseMs] });
    tell({ kind: 'held', startedBefore, held: rows });
  } catch (error) {
    tell({ kind: 'unseen', message: messageOf(error) });
    if (!(error instanceof pg.DatabaseError)) leaveConnection();
  }
  nextLook = performance.now() + REST * (performance.now() - began);
}

function leaveConnection(): void {
  void link.client?.end().catch(() => undefined);
  link.client = null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The main thread counts on; where it stands still for long, its leases serve no caller. */
function mainLives(): boolean {
  const tick = Atomics.load(cells, TICK);
  if (tick !== seenTick) {
    seenTick = tick;
    tickedAt = performance.now();
  }
  return performance.now() - tickedAt < stallMs;
}

async function connect(): Promise<pg.Client> {
  const opened = new pg.Client({
    connectionString: url,
    options: OPTIONS,
    connectionTimeoutMillis: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: STATEMENT_MS,
    application_name: 'ocr-router heartbeat',
  });
  opened.on('error', () => undefined); // the query that was under way, or the next one, reports it
  await opened.connect();
  return opened;
}

function tell(message: FromHeartbeat): void {
  parentPort?.postMessage(message);
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
