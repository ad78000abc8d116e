import { type Pool, query } from '../../database/pool.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import { counted } from '../../platform/numbers/counted.ts';
import { HOUR_MS } from '../../platform/numbers/times.ts';
import type { QueueHistory } from '../queue/queue-history.ts';
import type { RefusalStore } from '../refusals/refusal-store.ts';
import { windowStart } from '../series/engine-window.ts';
import type { Series } from '../series/series.ts';
import type { AlertPreview } from './alert.ts';
import { failureRate, type Tried } from './failure-rate.ts';
import { type Fired, replay, type Stretch } from './replay.ts';
import type { WrittenRule } from './rule-input.ts';

const DAYS = 7;
const HOURS = 24 * DAYS;
/** Most engines that are looked at: the first ones of the catalogue. */
const MOST_ENGINES = 30;
const MOST_CHECKS = 12_000;
const MOST_FIRED = 500;
/** Shortest step of a replay, in ms: each step is work for this process. */
const SHORTEST_STEP_MS = 30_000;

const CHECKS = {
  name: 'alert-look-back-checks',
  text: `select checked_at as at, healthy, detail from engine_check
         where engine = $1 and checked_at >= now() - make_interval(days => ${DAYS})
         order by checked_at desc limit ${MOST_CHECKS}`,
};

export interface LookBackDeps {
  readonly pool: Pool;
  readonly catalogue: Catalogue;
  readonly series: Series;
  readonly queue: QueueHistory;
  readonly refusals: RefusalStore;
  readonly checkEveryMs: number;
}

/** Kinds of which no history is kept. */
const ONLY_NOW: readonly WrittenRule['kind'][] = [
  'provider_auth',
  'owed_usd',
  'pending_costs',
  'webhook_age_seconds',
  'doctor_failed',
];

/** Finds what a rule would have told in the last seven days, by the history that is kept. */
export async function lookBack(rule: WrittenRule, deps: LookBackDeps, now: Date): Promise<AlertPreview> {
  if (ONLY_NOW.includes(rule.kind)) {
    return { days: DAYS, fired: [], unknown: 'No history is kept of this: it is only seen as it happens.' };
  }
  const checkEveryMs = Math.max(deps.checkEveryMs, SHORTEST_STEP_MS);
  const fired: Fired[] = [];
  // One after the other: a preview must not take the place of what the page itself asks.
  for (const engineId of enginesOf(rule, deps.catalogue)) {
    fired.push(...replay(rule, await stretchesOf(rule, engineId, deps, now), { engineId, checkEveryMs }));
  }
  const ordered = fired.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { days: DAYS, fired: ordered.slice(-MOST_FIRED), unknown: null };
}

function enginesOf({ engineId }: WrittenRule, catalogue: Catalogue): readonly string[] {
  return engineId !== null ? [engineId] : catalogue.configured.slice(0, MOST_ENGINES).map(({ id }) => id);
}

function stretchesOf(rule: WrittenRule, engineId: string, deps: LookBackDeps, now: Date): Promise<Stretch[]> {
  switch (rule.kind) {
    case 'queue_age_seconds':
    case 'queue_depth':
      return queueOf(rule, engineId, deps, now);
    case 'latency_p95_ms':
      return latencyOf(rule, engineId, deps, now);
    case 'error_rate':
      return failuresOf(rule, engineId, deps, now);
    default:
      return checksOf(engineId, deps, now);
  }
}

async function queueOf(rule: WrittenRule, engineId: string, { queue }: LookBackDeps, now: Date): Promise<Stretch[]> {
  const limit = rule.threshold ?? 0;
  const points = (await queue.read(engineId, HOURS)).map(({ at, oldestAgeSeconds, queuedMax }) => {
    const fromMs = at.getTime();
    if (rule.kind === 'queue_depth')
      return { fromMs, bad: queuedMax > limit, detail: `${counted(queuedMax, 'request')} waited.` };
    const age = Math.round(oldestAgeSeconds ?? 0);
    return { fromMs, bad: age > limit, detail: `The oldest had waited ${age} s.` };
  });
  return lasting(points, now.getTime());
}

async function latencyOf(rule: WrittenRule, engineId: string, { series }: LookBackDeps, now: Date): Promise<Stretch[]> {
  const limit = rule.threshold ?? 0;
  return (await series.latency(engineId, HOURS)).map(({ bucketHour, p95Ms }) => ({
    ...hourFrom(bucketHour.getTime(), now),
    bad: p95Ms === null ? null : p95Ms > limit,
    detail: `p95 ${Math.round(p95Ms ?? 0)} ms in this hour.`,
  }));
}

/**
 * The stretches of `error_rate`. Refused calls count as the rule counts them, also in hours in which the engine did nothing else.
 */
async function failuresOf(
  rule: WrittenRule,
  engineId: string,
  { series, refusals }: LookBackDeps,
  now: Date,
): Promise<Stretch[]> {
  const limit = rule.threshold ?? 0;
  const hours = new Map<number, Tried>();
  for (const { bucketHour, requestCount: runs, errorCount: errors } of await series.latency(engineId, HOURS)) {
    hours.set(bucketHour.getTime(), { runs, errors, refused: 0 });
  }
  for (const { hour, calls: refused } of await refusals.unavailable(engineId, windowStart(HOURS, now))) {
    hours.set(hour.getTime(), { ...(hours.get(hour.getTime()) ?? { runs: 0, errors: 0 }), refused });
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([fromMs, tried]) => {
      const { calls, failed, rate, isKnown } = failureRate(tried);
      const words = tried.refused > 0 ? ' or were refused' : '';
      return {
        ...hourFrom(fromMs, now),
        bad: isKnown ? rate > limit : null,
        detail: `${failed} of ${counted(calls, 'request')} failed${words} in this hour.`,
      };
    });
}

function hourFrom(fromMs: number, now: Date) {
  return { fromMs, toMs: Math.min(fromMs + HOUR_MS, now.getTime()) };
}

async function checksOf(engineId: string, { pool }: LookBackDeps, now: Date): Promise<Stretch[]> {
  const rows = await query<{ at: Date; healthy: boolean; detail: string | null }>(pool, CHECKS, [engineId]);
  const points = rows.reverse().map(({ at, healthy, detail }) => ({
    fromMs: at.getTime(),
    bad: !healthy,
    detail: detail ?? '',
  }));
  return lasting(points, now.getTime());
}

type Point = Omit<Stretch, 'toMs'>;

/** Makes stretches of points: what was seen holds until the next look, for an hour at most. */
function lasting(points: readonly Point[], nowMs: number): Stretch[] {
  return points.map((point, index) => {
    const nextMs = points[index + 1]?.fromMs ?? nowMs;
    return { ...point, toMs: Math.min(nextMs, point.fromMs + HOUR_MS) };
  });
}
