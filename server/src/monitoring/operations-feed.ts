import { Watch } from '../dispatch/watch.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { HealthBook } from './health-book.ts';
import type { EngineQueue } from './queue.type.ts';
import type { QueueBook } from './queue-book.ts';
import type { EngineHealth } from './series.type.ts';

declare module '../accounts/context.ts' {
  interface Context {
    /** On a socket: how engines and queues change. */
    readonly operationsFeed?: OperationsFeed;
  }
}

/** What operators watch: looked at every two seconds, and told when it has changed. */
export class OperationsFeed implements Disposable {
  readonly health: Watch<EngineHealth[]>;
  readonly queues: Watch<EngineQueue[]>;

  constructor(deps: { book: HealthBook; catalogue: Catalogue; queues: QueueBook }) {
    this.health = new Watch(
      () => deps.book.of(deps.catalogue.engines),
      (engines) => engines.map(({ engineId, status, detail, obstacle }) => [engineId, status, detail, obstacle]),
    );
    this.queues = new Watch(
      () => deps.queues.queues(),
      (queues) => queues,
    );
  }

  [Symbol.dispose](): void {
    this.health[Symbol.dispose]();
    this.queues[Symbol.dispose]();
  }
}
