import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { isTransientFailure } from '../database/transient-failure.ts';
import { faultPoint } from '../platform/fault.ts';
import type { Log } from '../platform/logging/log.ts';
import type { NanoUsd } from '../platform/money.ts';
import { inSpan, inTrace, traceHeaders } from '../platform/tracing/spans.ts';
import type { Delivery } from './delivery.ts';
import { deliveryHeaders } from './delivery-headers.ts';
import type { Claimed, ClaimLimits, DeliveryStore } from './delivery-store.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { Places } from './receiver-slots.ts';
import { routeDelivery } from './route-delivery.ts';
import { LateError, overWithin, within } from './time-limit.ts';

/** What a body is rendered from; engine and cost are for the case that the request cannot be read back. */
export interface Announcement {
  readonly requestId: string;
  readonly accountId: string;
  readonly engine: string;
  readonly cost: NanoUsd;
}

export interface DeliverTiming {
  /** For making a body: what takes longer is put off. */
  readonly renderMs: number;
  /** How long a body that was put off, and is still being made, may keep its place. */
  readonly lateRenderMs: number;
  /** For the whole exchange, from the look-up of the name to the status. */
  readonly timeoutMs: number;
  /** Pauses before the retries: one entry each. */
  readonly retryAfterMs: readonly number[];
  readonly sweepMs: number;
  /** What exchanges that are under way get at shutdown. */
  readonly graceMs: number;
}

export interface DeliverJobDeps {
  readonly store: DeliveryStore;
  /** Reaches public addresses only. */
  readonly agent: Agent;
  readonly render: (announcement: Announcement) => Promise<string>;
  readonly timing?: Partial<DeliverTiming>;
  readonly log: Log;
}

const TIMING: DeliverTiming = {
  renderMs: 10_000,
  lateRenderMs: 120_000,
  timeoutMs: 10_000,
  retryAfterMs: [500, 1000, 1500],
  sweepMs: 2000,
  graceMs: 2000,
};
/** Longer than a body is made, and than it is sent; what a process that died was sending is sent again after it. */
export const DELIVERY_LEASE_MS = 15_000;
/** Exchanges at once in all. A receiver that hangs takes its own places only, and an account its own, wherever it sends. */
const AT_ONCE = 1000;
const LIMITS: Omit<ClaimLimits, 'attempts'> = { perReceiver: 16, perAccount: 250, perLine: 8, unsent: 10 };
/** The database's clock and ours tick apart by less. */
const TICK_MS = 5;

/** Sends what is due: woken by announcements, by its own timers for retries, and by a look every two seconds. */
export class DeliverJob implements AsyncDisposable {
  readonly #deps: DeliverJobDeps;
  readonly #timing: DeliverTiming;
  readonly #places = new Places();
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #sweep: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | null = null;
  #again = false;
  #closed = false;

  constructor(deps: DeliverJobDeps) {
    this.#deps = deps;
    this.#timing = { ...TIMING, ...deps.timing };
  }

  start(): void {
    this.#sweep = setInterval(() => this.wake(), this.#timing.sweepMs).unref();
    this.wake();
  }

  /** Something is due, or may be. */
  wake(): void {
    this.#again = true;
    if (this.#closed || this.#claiming) return;
    this.#claiming = this.#claimAll()
      .catch((error) =>
        this.#deps.log.warn({ err: error }, 'deliveries could not be claimed; the next look tries again'),
      )
      .finally(() => {
        this.#claiming = null;
        if (this.#again) this.wake();
      });
  }

  async #claimAll(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      const free = AT_ONCE - this.#places.total;
      if (free <= 0) return; // the next end of a delivery wakes us
      const attempts = 1 + this.#timing.retryAfterMs.length;
      const claimed = await this.#deps.store.claim(free, { ...LIMITS, attempts }, this.#places.busy);
      for (const each of claimed) this.#begin(each);
    }
  }

  #begin(claimed: Claimed): void {
    const { id } = claimed.delivery;
    const place = this.#places.take(claimed.delivery);
    const done = inTrace(claimed.delivery.trace, () => this.#deliver(claimed))
      .catch((error) => this.#deps.log.warn({ err: error, deliveryId: id }, 'a delivery was left for its next lease'))
      .finally(() => {
        place[Symbol.dispose]();
        this.#running.delete(done);
        this.wake();
      });
    this.#running.add(done);
  }

  async #deliver({ delivery, registrations, accountSecret }: Claimed): Promise<void> {
    const { store, log } = this.#deps;
    const route = routeDelivery(delivery, registrations, accountSecret);
    if (route.kind === 'skip') return store.skip(delivery, route.webhookId, route.reason);
    const body = delivery.body ?? (await this.#renderBody(delivery));
    if (body === null) return;
    const startedAt = new Date();
    const own = deliveryHeaders(delivery, body, { secrets: route.secrets, at: startedAt });
    faultPoint('before-webhook');
    const about = { 'ocr.delivery_id': delivery.id, 'ocr.attempt': delivery.attempt + 1 };
    const { headers, outcome } = await inSpan('deliver', { kind: 'client', attributes: about }, async (annotate) => {
      const sent = { ...traceHeaders(), ...own };
      const ended = await this.#exchange(delivery, { headers: sent, body });
      if (ended?.responseCode) annotate({ 'http.response.status_code': ended.responseCode });
      return { headers: sent, outcome: ended };
    });
    faultPoint('after-webhook');
    if (!outcome) return store.handBack(delivery);
    const sent = outcome.latencyMs === null ? null : headers;
    const retryAfterMs = outcome.delivered ? null : (this.#timing.retryAfterMs[delivery.attempt] ?? null);
    await store.close(delivery, outcome, { webhookId: route.webhookId, startedAt, retryAfterMs, headers: sent });
    const { id: deliveryId, requestId } = delivery;
    const attempt = delivery.attempt + 1;
    log.info({ deliveryId, requestId, attempt, code: outcome.responseCode, error: outcome.error }, 'webhook attempted');
    if (retryAfterMs !== null) this.#wakeIn(retryAfterMs + TICK_MS);
  }

  /** Null when it is not sent now: a body that cannot be made, or kept, is left for later, and costs no attempt. */
  async #renderBody(delivery: Delivery): Promise<string | null> {
    const { id: deliveryId, requestId, accountId, engine, cost } = delivery;
    if (requestId === null) throw new Error(`delivery ${deliveryId} announces nothing`);
    const { store, log, render } = this.#deps;
    const { signal } = this.#stop;
    const rendering = render({ requestId, accountId, engine: engine ?? '', cost });
    try {
      const body = await within(this.#timing.renderMs, signal, rendering);
      const answer = await store.keepBody(delivery, body);
      if (answer === 'kept' || (answer === 'discarded' && delivery.isDiscarded)) return body;
      // Deleted while this was rendered: what is left of it is what goes out, with the next claim.
      if (answer === 'discarded') await store.handBack(delivery);
    } catch (error) {
      if (signal.aborted) await store.handBack(delivery);
      else {
        if (error instanceof LateError) this.#keepPlace(delivery, rendering);
        if (!isTransientFailure(error)) throw error; // its lease runs out, as if the process had died of it
        log.warn({ err: error, deliveryId }, 'the body of a webhook could not be made; it is tried again');
        await store.putOff(delivery);
      }
    }
    return null;
  }

  /** Its statements go on: with their place, no more of them are under way than there are places, however often bodies are put off. */
  #keepPlace(delivery: Delivery, rendering: Promise<string>): void {
    const place = this.#places.take(delivery);
    void overWithin(this.#timing.lateRenderMs, rendering).then(() => {
      place[Symbol.dispose]();
      this.wake();
    });
  }

  /** Null when the process stops first. */
  async #exchange({ url }: Delivery, message: Pick<ExchangeOptions, 'headers' | 'body'>) {
    const { agent } = this.#deps;
    const { signal } = this.#stop;
    try {
      return await exchange(url, { ...message, agent, signal, timeoutMs: this.#timing.timeoutMs });
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  #wakeIn(delayMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.wake();
    }, delayMs).unref();
    this.#timers.add(timer);
  }

  /** Begins nothing more; what is under way gets a moment, and is then handed back. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closed = true;
    await this.#claiming;
    const ended = Promise.allSettled([...this.#running]);
    await Promise.race([ended, sleep(this.#timing.graceMs, undefined, { ref: false })]);
    this.#stop.abort(new Error('the process stops'));
    await ended;
  }
}
