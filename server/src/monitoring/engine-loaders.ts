import DataLoader from 'dataloader';
import type { Context } from '../accounts/callers/context.ts';
import { type Pool, query } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { Engine } from '../engines/model/engine.ts';
import { showsMessages } from '../requests/store/texts/left-sql.ts';
import type { EngineStateLog, StateSince } from './probes/engine-state-log.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { ProviderSaid, ProviderWordStore } from './provider-words/provider-word-store.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';
import { dailyLatency } from './series/daily-latency.ts';
import { engineCharges } from './series/engine-charges.ts';
import type { EngineCharge } from './series/engine-charges.type.ts';
import { engineWindows, windowStart } from './series/engine-window.ts';
import type { EngineWindow } from './series/engine-window.type.ts';
import type { Series } from './series/series.ts';
import type { EngineHealth, EngineStats, LatencyBucket, LatencyDay, UptimeDay } from './series/series.type.ts';

/** Loaders for figures of all engines in an answer, with one statement for each kind. */
export interface EngineLoaders {
  readonly health: DataLoader<Engine, EngineHealth>;
  readonly stats: DataLoader<string, EngineStats | null>;
  latency(hours: number): DataLoader<string, LatencyBucket[]>;
  dailyLatency(days: number): DataLoader<string, LatencyDay[]>;
  uptime(days: number): DataLoader<string, UptimeDay[]>;
  window(hours: number): DataLoader<string, EngineWindow>;
  hourlyCharges(hours: number): DataLoader<string, EngineCharge[]>;
  dailyCharges(days: number): DataLoader<string, EngineCharge[]>;
  readonly state: DataLoader<string, StateSince | null>;
  readonly words: DataLoader<string, ProviderSaid | null>;
  /** Whether messages of a request are shown. */
  readonly showsMessages: DataLoader<string, boolean>;
}

export interface EngineLoadersDeps {
  readonly reports: { readonly pool: Pool; readonly ready: ReportsReady };
  readonly series: Series;
  readonly health: HealthStore;
  readonly states: EngineStateLog;
  readonly refusals: RefusalStore;
  readonly words: ProviderWordStore;
}

/** Makes one set of loaders for each answer. */
export function engineLoaders(deps: EngineLoadersDeps): (context: Context) => EngineLoaders {
  const known = new WeakMap<Context, EngineLoaders>();
  return (context) => {
    const loaders = known.get(context) ?? makeLoaders(deps);
    known.set(context, loaders);
    return loaders;
  };
}

function makeLoaders({ reports, series, health, states, refusals, words }: EngineLoadersDeps): EngineLoaders {
  const charges = (ids: readonly string[], wish: { step: 'hour' | 'day'; many: number }) =>
    engineCharges(reports, ids, { ...wish, now: new Date() });
  return {
    health: new DataLoader((engines) => health.of(engines)),
    stats: new DataLoader(async (ids) => {
      const stats = new Map((await series.stats(null)).map((each) => [each.engineId, each]));
      return ids.map((id) => stats.get(id) ?? null);
    }),
    latency: oneOfEach((hours) => new DataLoader((ids) => series.latencyOf(ids, hours))),
    dailyLatency: oneOfEach((days) => new DataLoader((ids) => dailyLatency(reports.pool, ids, days))),
    uptime: oneOfEach((days) => new DataLoader((ids) => series.uptimeOf(ids, days))),
    window: oneOfEach((hours) => new DataLoader((ids) => windowsOf({ reports, refusals }, ids, hours))),
    hourlyCharges: oneOfEach((many) => new DataLoader((ids) => charges(ids, { step: 'hour', many }))),
    dailyCharges: oneOfEach((many) => new DataLoader((ids) => charges(ids, { step: 'day', many }))),
    state: new DataLoader((ids) => states.latest(ids)),
    words: new DataLoader((ids) => words.latest(ids)),
    showsMessages: new DataLoader((ids) => whichShowMessages(reports.pool, ids)),
  };
}

const SHOWING = {
  name: 'requests-that-show-messages',
  text: `select w.id from unnest($1::text[]) w(id) where ${showsMessages('w.id')}`,
};

async function whichShowMessages(pool: Pool, ids: readonly string[]): Promise<boolean[]> {
  const rows = await query<{ id: string }>(pool, SHOWING, [[...ids]]);
  const found = new Set(rows.map(({ id }) => id));
  return ids.map((id) => found.has(id));
}

async function windowsOf(
  { reports, refusals }: Pick<EngineLoadersDeps, 'reports' | 'refusals'>,
  ids: readonly string[],
  hours: number,
): Promise<EngineWindow[]> {
  const now = new Date();
  const [windows, totals] = await Promise.all([
    engineWindows(reports, ids, { hours, now }),
    refusals.totals(windowStart(hours, now)),
  ]);
  const refused = new Map(totals.map(({ engine, unavailable }) => [engine, unavailable]));
  return windows.map((window) => ({ ...window, unavailable: refused.get(window.engineId) ?? 0 }));
}

/** One loader for each span that is asked for. */
function oneOfEach<Loader>(make: (span: number) => Loader): (span: number) => Loader {
  const known = new Map<number, Loader>();
  return (span) => {
    const loader = known.get(span) ?? make(span);
    known.set(span, loader);
    return loader;
  };
}
