import type { PoolClient } from 'pg';
import { ENGINES } from './cast.ts';
import { Dice } from './dice.ts';
import { idAt } from './id-at.ts';
import { outages, WEAK_ENGINE } from './incidents.ts';
import { query } from './statement.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The weak engine fails often for a while on one day in so many. */
const FAILS_EVERY_DAYS = 4;
/** Checks come twice a minute, and three in a row must be bad. */
const NOTICED_AFTER_MS = 90_000;

/** Alerts that have ended; of the gateway's rule of that kind, where there is one. */
const ALERTS = {
  name: 'demo-alerts',
  text: `insert into alert (id, rule_id, kind, severity, engine, title, detail, figure, threshold, began_at, ended_at, ended_by, told_at, end_told_at,
           acknowledged_at, note)
         select a.id, coalesce((select r.id from alert_rule r where r.kind = a.kind order by r.created_at limit 1), 'alr_demo'),
           a.kind, a.severity, a.engine, a.title, a.detail, a.figure, a.threshold, a.began_at, a.ended_at, 'recovery', a.began_at, a.ended_at,
           a.acknowledged_at, a.note
         from json_to_recordset($1::json) as a(id text, kind text, severity text, engine text, title text, detail text,
           figure float8, threshold float8, began_at timestamptz, ended_at timestamptz, acknowledged_at timestamptz, note text)
         on conflict (id) do nothing`,
};

interface DemoAlert {
  readonly kind: 'engine_down' | 'error_rate';
  readonly severity: 'critical' | 'warning';
  readonly engine: string;
  readonly title: string;
  readonly detail: string;
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly from: number;
  readonly until: number;
  readonly note: string | null;
}

/** What the gateway's rules would have told of the demo's engines from `start` to `now`; by the calendar, as its outages are. */
export function alertsOf({ start, now, seed }: { start: Date; now: Date; seed: string }) {
  return [...downs(start.getTime(), now.getTime()), ...failures(start.getTime(), now.getTime())].map(
    ({ from, until, note, ...alert }) => {
      const dice = new Dice(seed, 'alert', alert.engine, from);
      const acknowledged = note === null ? null : new Date(from + dice.between(2, 9) * MINUTE_MS);
      return {
        ...alert,
        id: idAt('alt_', from, () => dice.next()),
        note,
        began_at: new Date(from).toISOString(),
        ended_at: new Date(until).toISOString(),
        acknowledged_at: acknowledged?.toISOString() ?? null,
      };
    },
  );
}

export async function writeAlerts(client: PoolClient, plan: { start: Date; now: Date; seed: string }): Promise<void> {
  await query(client, ALERTS, [JSON.stringify(alertsOf(plan))]);
}

function downs(start: number, now: number): DemoAlert[] {
  return outages(start, now)
    .filter(({ from, until }) => from >= start && until < now)
    .map(({ engine, from, until }) => ({
      kind: 'engine_down',
      severity: 'critical',
      engine,
      title: `${nameOf(engine)} is down`,
      detail: 'no answer in time',
      figure: null,
      threshold: null,
      from: from + NOTICED_AFTER_MS,
      until: until + MINUTE_MS,
      note: 'The provider knows of it; requests go elsewhere meanwhile.',
    }));
}

function failures(start: number, now: number): DemoAlert[] {
  const first = Math.floor(start / DAY_MS);
  const days = Array.from({ length: Math.ceil((now - start) / DAY_MS) + 1 }, (_, n) => first + n);
  return days
    .filter((day) => day % FAILS_EVERY_DAYS === 1)
    .map((day) => {
      const dice = new Dice('weak', day);
      const from = day * DAY_MS + dice.between(7, 19) * HOUR_MS;
      const share = 0.16 + dice.next() * 0.18;
      const calls = dice.between(20, 60);
      return {
        kind: 'error_rate' as const,
        severity: 'warning' as const,
        engine: WEAK_ENGINE,
        title: `Requests fail on ${nameOf(WEAK_ENGINE)}`,
        detail: `${Math.round(share * 100)} % of ${calls} requests failed, more than 15 %.`,
        figure: share,
        threshold: 0.15,
        from,
        until: from + dice.between(12, 70) * MINUTE_MS,
        note: null,
      };
    })
    .filter(({ from, until }) => from >= start && until < now);
}

function nameOf(engine: string): string {
  return ENGINES.find(({ id }) => id === engine)?.entry?.name ?? engine;
}
