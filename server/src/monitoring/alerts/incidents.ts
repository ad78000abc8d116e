import { type Pool, query } from '../../database/pool.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Incident } from './alert.ts';
import type { AlertKind, IncidentImpact } from './kinds/alert-kind.ts';

const KEPT_DAYS = 90;
const MOST_ALERTS = 1000;
const MOST_SHOWN = 100;

/**
 * Impacts by the kinds of alerts that callers may know of, because anybody may read them of engines; other kinds are the
 * operator's own.
 */
const IMPACTS: Partial<Record<AlertKind, IncidentImpact>> = {
  engine_down: 'down',
  error_rate: 'failing',
  latency_p95_ms: 'slow',
};

const WORDS: Readonly<Record<IncidentImpact, string>> = {
  down: 'did not take requests',
  failing: 'failed more often than usual',
  slow: 'was slower than usual',
};

/** The part of an alert that an incident is made of. */
export interface IncidentAlert {
  readonly id: string;
  readonly kind: AlertKind;
  readonly engineId: string;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
}

const READ = {
  name: 'alert-incidents',
  text: `select id, kind, engine as "engineId", began_at as "beganAt", ended_at as "endedAt" from alert
         where engine is not null and kind = any($1::text[])
           and (ended_at is null or ended_at >= now() - make_interval(days => ${KEPT_DAYS}))
         order by began_at desc, id desc limit ${MOST_ALERTS}`,
};

/** Incidents of the last 90 days, newest first. */
export async function readIncidents(pool: Pool, catalogue: Catalogue): Promise<Incident[]> {
  const rows = await query<IncidentAlert>(pool, READ, [Object.keys(IMPACTS)]);
  return incidentsOf(rows, (id) => catalogue.find(id)?.name ?? null);
}

/**
 * Makes incidents of alerts: overlapping alerts of one engine are one incident for each impact, whatever rules found them.
 * `nameOf` is null for engines that are in no catalogue any more.
 */
export function incidentsOf(alerts: readonly IncidentAlert[], nameOf: (engineId: string) => string | null): Incident[] {
  const open = new Map<string, Incident>();
  const incidents: Incident[] = [];
  for (const alert of [...alerts].sort((a, b) => a.beganAt.getTime() - b.beganAt.getTime())) {
    const { id, kind, engineId, beganAt, endedAt } = alert;
    const impact = IMPACTS[kind];
    const engineName = nameOf(engineId);
    if (impact === undefined || engineName === null) continue;
    const before = open.get(`${impact} ${engineId}`);
    if (before && (before.endedAt === null || before.endedAt >= beganAt)) {
      before.endedAt = later(before.endedAt, endedAt);
      continue;
    }
    const summary = `${engineName} ${WORDS[impact]}.`;
    const incident = { id, engineId, engineName, impact, summary, beganAt, endedAt };
    open.set(`${impact} ${engineId}`, incident);
    incidents.push(incident);
  }
  return incidents.reverse().slice(0, MOST_SHOWN);
}

/** The later of two ends; null, which has not ended, is the latest. */
function later(a: Date | null, b: Date | null): Date | null {
  return a === null || b === null ? null : a > b ? a : b;
}
