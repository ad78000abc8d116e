import { type Pool, queryOne } from '../../database/pool.ts';
import type { ReportsReady } from '../../database/reports-ready.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { HealthStore } from '../probes/health-store.ts';
import type { QueueStats } from '../queue/queue-stats.ts';
import type { RefusalStore } from '../refusals/refusal-store.ts';
import { engineWindows, windowStart } from '../series/engine-window.ts';
import type { Look } from './observe.ts';

const HOURS = 1;

const GATEWAY = {
  name: 'alert-gateway',
  text: `
  select (select coalesce(sum(owed), 0)::float8 / 1e9 from wallet) as "owedUsd",
    (select count(*)::int from attempt where billing = 'pending') as "pendingCosts",
    (select coalesce(greatest(0, extract(epoch from now() - min(created_at))), 0)::float8
      from webhook_delivery where status = 'pending') as "webhookAgeSeconds",
    (select failed from doctor_result) as "doctorFailed"`,
};

type GatewayFigures = Omit<Look, 'engines'>;

export interface LookDeps {
  readonly pool: Pool;
  readonly ready: ReportsReady;
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly health: HealthStore;
  readonly queues: QueueStats;
  readonly refusals: RefusalStore;
}

/** Reads what every rule looks at, in a handful of statements, however many rules and engines there are. */
export async function lookAround(deps: LookDeps, now: Date): Promise<Look> {
  const engines = deps.catalogue.configured;
  const ids = engines.map(({ id }) => id);
  // One after the other: a look holds one connection, and nobody waits for it.
  const health = await deps.health.of(engines);
  const windows = new Map((await engineWindows(deps, ids, { hours: HOURS, now })).map((each) => [each.engineId, each]));
  const refused = new Map((await deps.refusals.totals(windowStart(HOURS, now))).map((each) => [each.engine, each]));
  const queues = new Map((await deps.queues.queues()).map((each) => [each.engineId, each]));
  const gateway = await queryOne<GatewayFigures>(deps.pool, GATEWAY, []);
  return {
    ...gateway,
    engines: engines.map((engine, at) => {
      const { status, detail, obstacle, providerFault, lastUnquoted, faultUnquoted, isAnswered, failingSince } =
        health[at] ?? UNSEEN;
      const window = windows.get(engine.id);
      const queue = queues.get(engine.id);
      return {
        ...{ id: engine.id, name: engine.name, enabled: deps.availability.isEnabled(engine) },
        ...{ status, detail, obstacle, providerFault, lastError: lastUnquoted },
        ...{ faultMessage: faultUnquoted, isAnswered, failingSince },
        requests: window?.requests ?? 0,
        errors: window?.errors ?? 0,
        unavailable: refused.get(engine.id)?.unavailable ?? 0,
        p95Ms: window?.p95Ms ?? null,
        queued: queue?.queued ?? 0,
        oldestAgeSeconds: queue?.oldestAgeSeconds ?? null,
      };
    }),
  };
}

/** The health of an engine of which nothing is known. */
const UNSEEN = {
  ...({ status: 'unknown', detail: null, obstacle: null } as const),
  ...({ providerFault: null, lastUnquoted: null, faultUnquoted: null, isAnswered: false, failingSince: null } as const),
};
