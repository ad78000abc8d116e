import type { PoolClient } from 'pg';
import { type DemoEngine, ENGINES } from './cast.ts';
import { Dice } from './dice.ts';
import { isDown, outages, WEAK_ENGINE } from './incidents.ts';
import { query } from './statement.ts';

const EVERY_MS = 900_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * What is there stays: a demo engine's checks go on behind its newest one, a real engine's end with the day before its
 * own first one.
 */
const SPAN = {
  name: 'demo-checks-span',
  text: `select min(checked_at) as first, max(checked_at) as last from engine_check where engine = $1`,
};

const CHECKS = {
  name: 'demo-checks',
  text: `insert into engine_check (engine, checked_at, healthy, latency_ms, detail, cost)
         select $1, * from unnest($2::timestamptz[], $3::boolean[], $4::int[], $5::text[], $6::bigint[])`,
};

const DAYS = {
  name: 'demo-days',
  text: `insert into engine_day (engine, day, checks, healthy)
         select engine, (checked_at at time zone 'UTC')::date, count(*), count(*) filter (where healthy)
         from engine_check where engine = $1 and checked_at >= $2 and checked_at < $3 group by 1, 2
         on conflict (engine, day) do update set checks = excluded.checks, healthy = excluded.healthy`,
};

/** It never goes out of date: no probe of these engines will follow. */
const LATEST = {
  name: 'demo-latest-check',
  text: `insert into engine_probe (engine, claimed_at, checked_at, failures, detail) values ($1, $2, 'infinity', $3, $4)
         on conflict (engine) do update set claimed_at = $2, checked_at = 'infinity', failures = $3, detail = $4`,
};

const STATE = {
  name: 'demo-state',
  text: `insert into engine_state (engine, state, former, detail, at)
         select $1, t.state, t.former, t.detail, t.at
         from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality as t(state, former, detail, at, n)
         where not exists (select from engine_state s where s.engine = $1) order by t.n`,
};

/** Checks, days of uptime and states of all engines from `start` to `now`. */
export async function writeChecks(client: PoolClient, { start, now, seed }: { start: Date; now: Date; seed: string }) {
  for (const engine of ENGINES) {
    const [span] = await query<{ first: Date | null; last: Date | null }>(client, SPAN, [engine.id]);
    const { first = null, last = null } = span ?? {};
    const from = engine.entry ? (last?.getTime() ?? start.getTime()) + EVERY_MS : start.getTime();
    const until = engine.entry ? now.getTime() : dayOf(first?.getTime() ?? now.getTime());
    await writeSpan(client, engine, { from, until, seed });
    await query(client, DAYS, [engine.id, new Date(dayOf(from)), new Date(until)]);
    if (engine.entry) await writeStates(client, engine, { from: start.getTime(), now });
  }
}

async function writeSpan(
  client: PoolClient,
  engine: DemoEngine,
  { from, until, seed }: { from: number; until: number; seed: string },
): Promise<void> {
  const first = Math.ceil(from / EVERY_MS) * EVERY_MS;
  const times = Array.from(
    { length: Math.max(0, Math.ceil((until - first) / EVERY_MS)) },
    (_, n) => first + n * EVERY_MS,
  );
  const checks = times.map((time) => ({ time, ...checkAt(engine, time, new Dice(seed, 'check', engine.id, time)) }));
  await query(client, CHECKS, [
    engine.id,
    checks.map(({ time }) => new Date(time)),
    checks.map(({ healthy }) => healthy),
    checks.map(({ latencyMs }) => latencyMs),
    checks.map(({ detail }) => detail),
    checks.map(({ healthy }) => (healthy ? String(engine.providerCost) : '0')),
  ]);
}

function checkAt(engine: DemoEngine, time: number, dice: Dice) {
  if (isDown(engine.id, time)) return { healthy: false, latencyMs: 60_000, detail: 'no answer in time' };
  const fails = dice.happens(engine.id === WEAK_ENGINE ? 0.035 : 0.0006);
  const latencyMs = Math.max(3, Math.round(dice.skewed(engine.medianMs * 0.8, engine.spread / 2)));
  return { healthy: !fails, latencyMs, detail: fails ? 'the probe failed' : null };
}

/** How the engine came to be as it is shown. */
async function writeStates(client: PoolClient, { id }: DemoEngine, { from, now }: { from: number; now: Date }) {
  const isWeak = id === WEAK_ENGINE;
  const detail = 'the probe failed';
  await query(client, LATEST, [id, now, isWeak ? 1 : 0, isWeak ? detail : null]);
  const down = outages(from, now.getTime()).filter(({ engine }) => engine === id);
  const states = [
    { state: 'healthy', former: null, detail: null, at: from },
    ...down.flatMap((outage) => [
      { state: 'unhealthy', former: 'healthy', detail: 'no answer in time', at: outage.from },
      { state: 'healthy', former: 'unhealthy', detail: null, at: outage.until },
    ]),
    ...(isWeak ? [{ state: 'degraded', former: 'healthy', detail, at: now.getTime() - 5 * HOUR_MS }] : []),
  ].filter(({ at }) => at < now.getTime());
  await query(client, STATE, [
    id,
    states.map(({ state }) => state),
    states.map(({ former }) => former),
    states.map((each) => each.detail),
    states.map(({ at }) => new Date(at)),
  ]);
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
