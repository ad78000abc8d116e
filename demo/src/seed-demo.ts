import type { Pool, PoolClient } from 'pg';
import { ACCOUNTS, ENGINES } from './cast.ts';
import { query, transaction } from './statement.ts';
import { writeTopUps } from './top-ups.ts';
import { trafficOf } from './traffic.ts';
import { writeAlerts } from './write-alerts.ts';
import { accountId, writeCast, writeLastUse } from './write-cast.ts';
import { writeChecks } from './write-checks.ts';
import { writeQueue } from './write-queue.ts';
import { writeTraffic } from './write-traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The newest hours are written one by one: what is newest by the database's own count is then newest by the clock. */
const HOURS_ONE_BY_ONE = 24;
/** The advisory lock of the one process that seeds; a number that the gateway uses for nothing else. */
const SEED_LOCK = 7_274_114;

const FIRST_SEEDED = {
  name: 'demo-first-seeded',
  text: 'select min(created_at) as start from account where demo',
};

export interface DemoPlan {
  readonly days: number;
  readonly seed: string;
  readonly now: Date;
  /** How much of the usual traffic, and of the credit that pays for it; all of it by default. */
  readonly share?: number;
}

export interface Seeded {
  readonly requests: number;
  readonly from: string;
  readonly to: string;
  readonly accounts: readonly { account_id: string; email: string }[];
  readonly engines: readonly string[];
}

/**
 * Fills the tables with traffic that never was, up to this moment. Each hour's is made of the seed and the hour alone,
 * so that the same command again adds what has been missing since, and nothing twice. Rolling up is the caller's.
 */
export async function seedDemo(pool: Pool, plan: DemoPlan): Promise<Seeded> {
  const start = await transaction(pool, (client) => begin(client, plan));
  let requests = 0;
  for (const { from, until } of portions(start.getTime(), plan.now.getTime())) {
    requests += await transaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
      const nth = (from - start.getTime()) / DAY_MS;
      if (from % DAY_MS === 0) await writeTopUps(client, new Date(from), { nth, share: plan.share });
      const hours = Array.from({ length: Math.ceil((until - from) / HOUR_MS) }, (_, n) => from + n * HOUR_MS);
      const traffic = hours.flatMap((hour) => trafficOf(hour, plan.seed, plan.share));
      return writeTraffic(
        client,
        traffic.filter(({ finishedAt }) => finishedAt < plan.now.getTime() - 5000),
      );
    });
  }
  await transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
    await writeChecks(client, { start, ...plan });
    await writeAlerts(client, { start, ...plan });
    await writeQueue(client, plan);
    await writeLastUse(client);
  });
  return {
    requests,
    from: start.toISOString(),
    to: plan.now.toISOString(),
    accounts: ACCOUNTS.map((account) => ({ account_id: accountId(account), email: account.email })),
    engines: ENGINES.map(({ id }) => id),
  };
}

/** The cast, and since when there is a demo: the first time says it. */
async function begin(client: PoolClient, { days, now }: DemoPlan): Promise<Date> {
  await client.query('select pg_advisory_xact_lock($1)', [SEED_LOCK]);
  const [known] = await query<{ start: Date | null }>(client, FIRST_SEEDED, []);
  const start = known?.start ?? new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS);
  await writeCast(client, start);
  return start;
}

/** Days, and for the newest hours every hour by itself; each is a transaction. */
function portions(start: number, now: number): { from: number; until: number }[] {
  const oneByOne = Math.floor(now / DAY_MS) * DAY_MS - DAY_MS * (HOURS_ONE_BY_ONE / 24 - 1);
  const parts: { from: number; until: number }[] = [];
  for (let from = start; from < now; ) {
    const until = Math.min(from + (from < oneByOne ? DAY_MS : HOUR_MS), now);
    parts.push({ from, until });
    from = from < oneByOne ? from + DAY_MS : from + HOUR_MS;
  }
  return parts;
}
