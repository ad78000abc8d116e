import type { Catalogue } from '../engines/catalogue.ts';
import { Poller } from '../platform/messaging/poller.ts';
import type { AlertOverview } from './alerts/alert.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { EngineQueue } from './queue/queue.type.ts';
import type { QueueStats } from './queue/queue-stats.ts';
import type { EngineHealth } from './series/series.type.ts';

declare module '../accounts/callers/context.ts' {
  interface Context {
    /** The feed of engines, queues and alerts; set on sockets only. */
    readonly operationsFeed?: OperationsFeed;
  }
}

/** What operators watch live: looked at every two seconds, and sent when it has changed. */
export class OperationsFeed implements Disposable {
  readonly health: Poller<EngineHealth[]>;
  readonly queues: Poller<EngineQueue[]>;
  /** The feed of alerts, which its opener disposes of. */
  readonly alerts: Poller<AlertOverview>;

  constructor(deps: {
    store: HealthStore;
    catalogue: Catalogue;
    queues: QueueStats;
    alerts: Poller<AlertOverview>;
  }) {
    this.alerts = deps.alerts;
    this.health = new Poller(
      () => deps.store.of(deps.catalogue.engines),
      (engines) =>
        engines.map(({ engineId, status, detail, obstacle, providerFault }) => [
          engineId,
          status,
          detail,
          obstacle,
          providerFault,
        ]),
    );
    this.queues = new Poller(
      () => deps.queues.queues(),
      (queues) => queues,
    );
  }

  [Symbol.dispose](): void {
    this.health[Symbol.dispose]();
    this.queues[Symbol.dispose]();
  }
}
