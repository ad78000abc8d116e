import DataLoader from 'dataloader';
import type { Context } from '../accounts/context.ts';
import type { Engine } from '../engines/engine.ts';
import type { HealthBook } from './health-book.ts';
import type { Series } from './series.ts';
import type { EngineHealth, EngineStats, LatencyBucket, UptimeDay } from './series.type.ts';

/** Figures of all engines of an answer, one statement a kind. */
export interface EngineLoaders {
  readonly health: DataLoader<Engine, EngineHealth>;
  readonly stats: DataLoader<string, EngineStats | null>;
  latency(hours: number): DataLoader<string, LatencyBucket[]>;
  uptime(days: number): DataLoader<string, UptimeDay[]>;
}

/** One set of loaders an answer. */
export function engineLoaders(series: Series, health: HealthBook): (context: Context) => EngineLoaders {
  const known = new WeakMap<Context, EngineLoaders>();
  return (context) => {
    const loaders = known.get(context) ?? makeLoaders(series, health);
    known.set(context, loaders);
    return loaders;
  };
}

function makeLoaders(series: Series, health: HealthBook): EngineLoaders {
  return {
    health: new DataLoader((engines) => health.of(engines)),
    stats: new DataLoader(async (ids) => {
      const stats = new Map((await series.stats(null)).map((each) => [each.engineId, each]));
      return ids.map((id) => stats.get(id) ?? null);
    }),
    latency: oneOfEach((hours) => new DataLoader((ids) => series.latencyOf(ids, hours))),
    uptime: oneOfEach((days) => new DataLoader((ids) => series.uptimeOf(ids, days))),
  };
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
