import { type Pool, query } from '../../database/pool.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { PROVEN_FAULTS, type ProbeRecord } from '../series/health.ts';

/** One probe of one engine. */
export interface Check {
  readonly healthy: boolean;
  readonly latencyMs: number;
  /** The service's words for what was wrong; null where nothing was. */
  readonly detail: string | null;
  /** The fault that its provider answered; null without one. */
  readonly fault: ProviderFault | null;
  /** The provider's bill for the probe; null where it is unknown. */
  readonly cost: NanoUsd | null;
  /** The provider's usage object, as it came. */
  readonly usage: unknown;
}

/** Claims engines whose last probe is too long ago, and whose last claim has either ended or outlived any probe. */
const CLAIM = {
  name: 'probe-claim',
  text: `insert into engine_probe as p (engine) select engine from unnest($1::text[]) as due(engine) order by engine
         on conflict (engine) do update set claimed_at = now()
         where p.claimed_at <= now() - $2::interval and (p.checked_at >= p.claimed_at or p.claimed_at <= now() - $3::interval)
         returning engine`,
};

const RELEASE = {
  name: 'probe-release',
  text: `update engine_probe set claimed_at = '-infinity' where engine = $1`,
};

/** Days for which each check is kept: more than a year's uptime opens. Sums are kept of all days. */
const KEPT_DAYS = 400;
/** Most old checks that one record deletes: more than become too old meanwhile, so that the rest of a longer time goes, too. */
const MOST_FORGOTTEN = 10;

const RECORD = {
  name: 'probe-record',
  text: `with forgotten as (
           delete from engine_check where id = any(array(
             select id from engine_check where engine = $1 and checked_at < now() - make_interval(days => ${KEPT_DAYS})
             order by checked_at limit ${MOST_FORGOTTEN}))
         ),
         checked as (
           insert into engine_check (engine, healthy, latency_ms, detail, cost, usage)
           values ($1, $2, $3, $4, $5::bigint, $6::json)
         ),
         day as (
           insert into engine_day as d (engine, day, checks, healthy)
           values ($1, (now() at time zone 'UTC')::date, 1, $2::boolean::int)
           on conflict (engine, day) do update set checks = d.checks + 1, healthy = d.healthy + excluded.healthy
         )
         insert into engine_probe as p (engine, checked_at, failures, detail, provider_fault)
         values ($1, now(), 1 - $2::boolean::int, $4, $7)
         on conflict (engine) do update set checked_at = excluded.checked_at, detail = excluded.detail,
           provider_fault = case when p.failures > 0 and p.provider_fault in ${PROVEN_FAULTS} and not $2
             and coalesce(excluded.provider_fault, '') not in ${PROVEN_FAULTS} then p.provider_fault else excluded.provider_fault end,
           failures = case when $2 then 0 else p.failures + 1 end`,
};

const LATEST = {
  name: 'probe-latest',
  // A process of before the column leaves what stood there: it says something of a failed probe only.
  text: `select engine, failures, detail, checked_at as "checkedAt",
           case when failures > 0 then provider_fault end as fault
         from engine_probe where checked_at > now() - $1::interval or (failures > 0 and engine = any($2::text[]))`,
};

/** The probes of the whole installation: who makes the next one, and the results of the latest. */
export class ProbeStore {
  readonly #pool: Pool;
  readonly #intervalMs: number;
  readonly #limitMs: number;

  /** `intervalMs`: time between two probes of an engine, in any process. `limitMs`: time after which a probe has ended. */
  constructor(pool: Pool, { intervalMs, limitMs }: { intervalMs: number; limitMs: number }) {
    this.#pool = pool;
    this.#intervalMs = intervalMs;
    this.#limitMs = limitMs;
  }

  /** Claims those of these engines that are due, for this process to probe. */
  async claim(engineIds: readonly string[]): Promise<Set<string>> {
    const values = [engineIds, `${this.#intervalMs} milliseconds`, `${2 * this.#limitMs} milliseconds`];
    const rows = await query<{ engine: string }>(this.#pool, CLAIM, values);
    return new Set(rows.map((row) => row.engine));
  }

  /** Gives a claim back: any process may probe at once. */
  async release(engineId: string): Promise<void> {
    await query(this.#pool, RELEASE, [engineId]);
  }

  async record(engineId: string, { healthy, latencyMs, detail, fault, cost, usage }: Check): Promise<void> {
    const raw = usage == null ? null : JSON.stringify(usage);
    const values = [engineId, healthy, latencyMs, detail, cost === null ? null : String(cost), raw, fault];
    await query(this.#pool, RECORD, values);
  }

  /**
   * The latest results of probes; an older one says nothing. For engines that are still `probed`, a failure stands until a probe
   * succeeds: its age is no sign that the engine is well.
   */
  async latest(probed: readonly string[]): Promise<ReadonlyMap<string, ProbeRecord>> {
    const rows = await query<ProbeRecord & { engine: string }>(this.#pool, LATEST, [
      `${3 * this.#intervalMs + 2 * this.#limitMs} milliseconds`,
      probed,
    ]);
    return new Map(rows.map(({ engine, ...record }) => [engine, record]));
  }
}
