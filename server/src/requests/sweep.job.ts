import type { News } from '../dispatch/news.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Leases } from './leases.ts';
import { newsOf } from './news-of.ts';
import { settledFromError } from './settled-from.ts';
import type { SettlementDesk } from './settlement.ts';
import type { Worker } from './worker.ts';

const EVERY_MS = 2000;

/** Looks for what nobody holds: expired leases, requests that were begun too often, queued requests nobody heard of. */
export class Sweeper implements AsyncDisposable {
  readonly #deps: { leases: Leases; worker: Worker; settlement: SettlementDesk; news: News; log: Log };
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(deps: { leases: Leases; worker: Worker; settlement: SettlementDesk; news: News; log: Log }) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#sweeping = this.sweep().catch((error) => this.#deps.log.warn({ err: error }, 'sweeping failed'));
      void this.#sweeping.then(() => this.#timer && this.start());
    }, EVERY_MS).unref();
  }

  async sweep(): Promise<void> {
    const { leases, worker, settlement, news, log } = this.#deps;
    const expired = await leases.expire();
    if (expired > 0) log.warn({ requests: expired }, 'requests of a lost process run again');
    for (const request of await leases.exhausted()) {
      const error = new AppError(
        'internal_error',
        'The request was started several times and never ended. Nothing was charged.',
      );
      const settled = settledFromError(request, error);
      if ((await settlement.settle(request.id, request.fence, settled)) === 'lost') continue;
      const { status, outcome } = settled;
      news.tell(() => ({ ...newsOf(request), status, outcome, cursor: new Date().toISOString() }));
      log.error({ requestId: request.id }, 'request given up');
    }
    for (const engine of await leases.queuedEngines()) worker.announce(engine);
    await leases.forgetPassed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }
}
