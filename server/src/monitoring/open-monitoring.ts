import type { Registry } from '@prometheus-io/client';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import { MoneyFlow } from '../billing/money-flow.ts';
import type { Connections } from '../database/connections.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import type { Documents } from '../documents/documents.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { OpenedEngines } from '../engines/open-engines.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Role } from '../platform/role.ts';
import type { Slice } from '../platform/slice.ts';
import { VERSION } from '../platform/version.ts';
import { openAlerts } from './alerts/open-alerts.ts';
import { DatabaseGauges } from './database-gauges.ts';
import { DeploymentLog } from './deployments.ts';
import { EngineFiguresResolver } from './engine-figures.resolver.ts';
import { engineLoaders } from './engine-loaders.ts';
import { MonitoringResolver } from './monitoring.resolver.ts';
import { Observer } from './observer.job.ts';
import { OperationsResolver } from './operations.resolver.ts';
import { OperationsFeedResolver } from './operations-feed.resolver.ts';
import { OperationsFeed } from './operations-feed.ts';
import { PROBE_LIMIT_MS } from './probes/check-engine.ts';
import { EngineStateLog } from './probes/engine-state-log.ts';
import { HealthStore } from './probes/health-store.ts';
import { Prober } from './probes/probe.job.ts';
import { ProbeStore } from './probes/probe-store.ts';
import { ProcessStore } from './processes.ts';
import { ProviderWordStore } from './provider-words/provider-word-store.ts';
import type { ProviderWords } from './provider-words/provider-words.job.ts';
import { QueueResolver } from './queue/queue.resolver.ts';
import { QueueHistory } from './queue/queue-history.ts';
import { QueueStats } from './queue/queue-stats.ts';
import { RefusalStore } from './refusals/refusal-store.ts';
import { RefusalLog } from './refusals/refusals.job.ts';
import { RefusalsResolver } from './refusals/refusals.resolver.ts';
import { RollUp } from './series/roll-up.job.ts';
import { Series } from './series/series.ts';

export interface MonitoringDeps extends Pick<OpenedEngines, 'engines' | 'availability'> {
  readonly connections: Connections;
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly secrets: Secrets;
  readonly limiter: RateLimiter;
  readonly registry: Registry;
  readonly engineIds: readonly string[];
  readonly providerWords: ProviderWords;
  readonly role: Role;
  /** The name of this process in leases. */
  readonly owner: string;
  readonly log: Log;
}

export interface OpenedMonitoring extends Slice, AsyncDisposable {
  readonly feed: OperationsFeed;
  readonly gauges: DatabaseGauges;
  readonly refusals: RefusalLog;
}

/** Opens probes, counts and series: what is known of engines, queues and processes. */
export async function openMonitoring(config: Config, deps: MonitoringDeps): Promise<OpenedMonitoring> {
  const { connections, catalogue, engines, availability, documents, secrets, limiter, registry, engineIds, role } =
    deps;
  const { owner, providerWords, log } = deps;
  const { hot, background, monitoring, reports, reportsReady } = connections;
  const intervalMs = config.probeIntervalMs;
  const probeTimes = { intervalMs, limitMs: PROBE_LIMIT_MS };
  await using stack = new AsyncDisposableStack();

  const prober = stack.use(new Prober({ pool: hot, catalogue, availability, engines, documents, intervalMs, log }));
  const rollUp = stack.use(new RollUp(background, log));
  await rollUp.adopt();
  const series = new Series(monitoring);
  const health = new HealthStore(series, new ProbeStore(monitoring, probeTimes), availability);
  const states = new EngineStateLog(monitoring);
  const observed = new HealthStore(new Series(background), new ProbeStore(background, probeTimes), availability);
  const alerts = stack.use(
    openAlerts(config, { connections, catalogue, availability, health: observed, secrets, limiter, log }),
  );
  const feed = stack.use(
    new OperationsFeed({ store: health, catalogue, queues: new QueueStats(background), alerts: alerts.feed }),
  );
  const ownProcess =
    role === 'api' ? null : new ProcessStore(hot, { owner, role, version: VERSION, startedAt: new Date() });
  const observer = stack.use(
    new Observer({
      pool: background,
      catalogue,
      health: observed,
      queue: new QueueHistory(background),
      states: new EngineStateLog(background),
      deployments: new DeploymentLog(background),
      process: ownProcess,
      log,
    }),
  );

  const isEngine = (id: string) => catalogue.find(id) !== undefined;
  const refusals = stack.use(new RefusalLog(new RefusalStore(background), isEngine, log));

  const refused = new RefusalStore(reports);
  const lists = { pool: reports, ready: reportsReady };
  const opened = stack.move();
  return {
    feed,
    refusals,
    gauges: new DatabaseGauges(registry, { pool: monitoring, engineIds, log }),
    resolvers: [
      new EngineFiguresResolver(
        catalogue,
        availability,
        prober,
        health,
        engineLoaders({
          ...{ reports: lists, series, health, states, refusals: refused },
          words: new ProviderWordStore(monitoring),
        }),
      ),
      new MonitoringResolver(catalogue, series, prober, health, VERSION),
      new QueueResolver(new QueueStats(reports), new QueueHistory(reports)),
      new OperationsFeedResolver(),
      new RefusalsResolver(refused),
      new OperationsResolver(
        lists,
        catalogue,
        new MoneyFlow(reports, reportsReady),
        states,
        refused,
        new DeploymentLog(reports),
      ),
      ...alerts.resolvers,
    ],
    // Every process probes and rolls up, each when no other one has: it is how an API process learns of ill engines.
    jobs: [prober, rollUp, observer, refusals, providerWords, ...alerts.jobs],
    workerJobs: [],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
