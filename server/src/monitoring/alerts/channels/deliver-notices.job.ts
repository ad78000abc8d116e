import { setTimeout as sleep } from 'node:timers/promises';
import { Periodic } from '../../../platform/concurrency/periodic.ts';
import type { Log } from '../../../platform/logging/log.ts';
import type { ClaimedNotice, DeliveryStore } from './delivery-store.ts';
import type { NoticeSender } from './notice-sender.ts';

const LOOK_EVERY_MS = 2000;
/** How long notices that are being sent may go on at a stop. */
const GRACE_MS = 2000;

export interface DeliverNoticesDeps {
  readonly store: DeliveryStore;
  readonly sender: NoticeSender;
  readonly log: Log;
}

/** Sends due notices to channels: one at a time to each channel, so that none waits for another. */
export class DeliverNotices implements AsyncDisposable {
  readonly #deps: DeliverNoticesDeps;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #periodic: Periodic;
  #claiming: Promise<void> = Promise.resolve();

  constructor(deps: DeliverNoticesDeps) {
    this.#deps = deps;
    this.#periodic = new Periodic(() => this.look(), {
      everyMs: LOOK_EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'alerts could not be sent; the next look tries again'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Looks for due notices at once. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    void this.look().catch(() => undefined); // the next look tries again, and tells
  }

  /** Claims due notices and begins to send them; looks come one after the other. */
  look(): Promise<void> {
    const before = this.#claiming.catch(() => undefined);
    this.#claiming = before.then(() => this.#claim());
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    for (const notice of await this.#deps.store.claim()) this.#begin(notice);
  }

  #begin(notice: ClaimedNotice): void {
    const sent = this.#send(notice)
      .catch((error) =>
        this.#deps.log.warn({ err: error, deliveryId: notice.id }, 'a notice was left for its next lease'),
      )
      .finally(() => this.#running.delete(sent));
    this.#running.add(sent);
  }

  async #send(notice: ClaimedNotice): Promise<void> {
    const { store, sender, log } = this.#deps;
    const { signal } = this.#stop;
    const outcome = await sender.send(notice, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (outcome === null) return store.handBack(notice);
    await store.close(notice, outcome);
    const { id: deliveryId, channelId, attempt } = notice;
    log.info({ deliveryId, channelId, attempt, code: outcome.responseCode, error: outcome.error }, 'alerts sent');
  }

  /** Claims nothing more. Notices that are being sent get a moment, and are then handed back. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
    const ended = Promise.allSettled([...this.#running]);
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
    this.#stop.abort(new Error('the process stops'));
    await this.#claiming.catch(() => undefined);
    await Promise.allSettled([...this.#running]);
  }
}
