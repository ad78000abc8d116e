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
import { Places } from './places.ts';
import { routeDelivery } from './route-delivery.ts';
import { LateError, overWithin, within } from './time-limit.ts';

/** The request that a body is rendered from. Engine and cost are used where the request cannot be read back. */
export interface Announcement {
  readonly requestId: string;
  readonly accountId: string;
  readonly engine: string;
  readonly cost: NanoUsd;
}

export interface DeliverTiming {
  /** Longest time to render a body. A delivery whose body takes longer is put off. */
  readonly renderMs: number;
  /** How long a rendering that goes on after its delivery was put off keeps a place. */
  readonly lateRenderMs: number;
  /** Longest time for the whole exchange, from the look-up of the name to the status. */
  readonly timeoutMs: number;
  /** Pauses before the retries: one entry for each retry. */
  readonly retryAfterMs: readonly number[];
  readonly sweepMs: number;
  /** How long exchanges that are under way may go on at shutdown. */
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
/**
 * How long a claim holds: longer than rendering may take, and longer than sending may take (storing the body renews it). What a
 * process was sending when it died is sent again after this time.
 */
export const DELIVERY_LEASE_MS = 15_000;
/**
 * Most exchanges at once in this process. The limits keep a receiver that hangs, and an account, wherever it sends, to places of
 * their own.
 */
const AT_ONCE = 1000;
const LIMITS: Omit<ClaimLimits, 'attempts'> = { perReceiver: 16, perAccount: 250, perLine: 8, unsent: 10 };
/** Added to the wait for a retry, so that it is due by the database's clock when this process looks. */
const TICK_MS = 5;

/**
 * Sends due deliveries. It looks for them when one is announced, when its own timer says that a retry is due, and every two
 * seconds.
 */
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

  /** Claims due deliveries now, or once more when the claim that is under way has ended. */
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

  /**
   * Renders and stores the body. Answers null where nothing is to be sent now: the body could not be rendered in time, or could
   * not be stored under this lease. The delivery is left for later then, and no attempt is counted.
   */
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
      // Its request was deleted meanwhile: the next claim renders what is left of the request.
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

  /**
   * Counts a rendering that goes on after its delivery was put off. Its statements go on, too: with a place for each, no more
   * renderings run than there are places, however often bodies are put off.
   */
  #keepPlace(delivery: Delivery, rendering: Promise<string>): void {
    const place = this.#places.take(delivery);
    void overWithin(this.#timing.lateRenderMs, rendering).then(() => {
      place[Symbol.dispose]();
      this.wake();
    });
  }

  /** Sends the message. Answers null where the process stops before the exchange has ended. */
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

  /** Claims nothing more. Exchanges that are under way get `graceMs` to end, and are then handed back. */
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
