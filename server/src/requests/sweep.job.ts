import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Leases } from './leases.ts';
import { settledFromError } from './settled-from.ts';
import type { SettlementDesk } from './settlement.ts';
import type { Worker } from './worker.ts';

const EVERY_MS = 2000;

/** Looks for what nobody holds: expired leases, requests that were begun too often, queued requests nobody heard of. */
export class Sweeper implements AsyncDisposable {
  readonly #deps: { leases: Leases; worker: Worker; settlement: SettlementDesk; log: Log };
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(deps: { leases: Leases; worker: Worker; settlement: SettlementDesk; log: Log }) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#sweeping = this.sweep().catch((error) => this.#deps.log.warn({ err: error }, 'sweeping failed'));
      void this.#sweeping.then(() => this.#timer && this.start());
    }, EVERY_MS).unref();
  }

  async sweep(): Promise<void> {
    const { leases, worker, settlement, log } = this.#deps;
    const expired = await leases.expire();
    if (expired > 0) log.warn({ requests: expired }, 'requests of a lost process run again');
    for (const request of await leases.exhausted()) {
      const error = new AppError(
        'internal_error',
        'The request was started several times and never ended. Nothing was charged.',
      );
      await settlement.settle(request.id, request.fence, settledFromError(request, error));
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
