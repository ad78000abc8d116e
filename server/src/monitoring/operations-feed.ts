import type { Catalogue } from '../engines/catalogue.ts';
import { Poller } from '../platform/messaging/poller.ts';
import type { AlertOverview } from './alerts/alert.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { EngineQueue } from './queue/queue.type.ts';
import type { QueueStats } from './queue/queue-stats.ts';
import type { EngineHealth } from './series/series.type.ts';

declare module '../accounts/callers/context.ts' {
  interface Context {
    /** On a socket: how engines, queues and alerts change. */
    readonly operationsFeed?: OperationsFeed;
  }
}

/** What operators watch: looked at every two seconds, and told when it has changed. */
export class OperationsFeed implements Disposable {
  readonly health: Poller<EngineHealth[]>;
  readonly queues: Poller<EngineQueue[]>;
  /** Belongs to who opened it. */
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
