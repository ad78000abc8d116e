import type { Pool } from '../../server/src/database/pool.ts';
import type { SeededRandom } from './seeded-random.ts';
import { until } from './until.ts';

const HOUR_MS = 3_600_000;
const OUTCOMES = [
  'ok',
  'ok',
  'ok',
  'refused',
  'empty',
  'truncated',
  'failed',
  'timeout',
  'unreadable',
  'lost',
  'cancelled',
  null,
];
const TABLES = ['attempt', 'engine_total', 'engine_hour', 'engine_hour_latency', 'engine_check', 'engine_day'];

/** A roll-up goes as far as the oldest transaction that runs, in whichever database of the cluster. */
const OPEN = 'select from attempt where recorded_xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';

let written = 0;

/** What the series look at of an attempt. */
export interface AttemptRow {
  readonly engine: string;
  readonly outcome: string | null;
  readonly latencyMs: number | null;
  readonly pages: number | null;
  readonly finishedAt: Date;
}

/** Takes away every attempt, and everything that was counted of them. */
export async function emptyAttempts(pool: Pool): Promise<void> {
  for (const table of TABLES) await pool.query(`delete from ${table}`);
}

/** Waits until a roll-up would count every attempt that is written. */
export async function attemptsSettled(pool: Pool): Promise<void> {
  await until('older transactions have ended', async () => (await pool.query(OPEN)).rowCount === 0);
}

export async function writeAttempt(client: Pick<Pool, 'query'>, row: AttemptRow): Promise<void> {
  await client.query(
    `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, billing)
     values ($1, 'ocr_1', 1, $2, $3, $3, $4, $5, $6, 'none')`,
    [`att_${written++}`, row.engine, row.finishedAt, row.outcome, row.latencyMs, row.pages],
  );
}

export function attempt(more: Partial<AttemptRow> = {}): AttemptRow {
  return { engine: 'a', outcome: 'ok', latencyMs: 40, pages: 1, finishedAt: new Date(), ...more };
}

export function randomAttempt(random: SeededRandom): AttemptRow {
  const outcome = random.pick(OUTCOMES);
  return {
    engine: random.pick(['a', 'b', 'c']),
    outcome,
    latencyMs: random.below(8) === 0 ? null : random.below(random.pick([90, 3000, 200_000])),
    pages: random.below(5) === 0 ? null : random.below(9),
    finishedAt: new Date(Date.now() - random.below(50 * HOUR_MS)),
  };
}
