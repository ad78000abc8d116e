import BeeQueue from 'bee-queue';
import { Redis as IoRedis } from 'ioredis';
import type { Log } from '../logging/log.ts';
import type { Dispatch, Hint } from './dispatch.ts';
import { endSilence } from './end-silence.ts';

const ENDED = 'ocr-router:ended';
const CANCELLED = 'ocr-router:cancelled';
const RETRY_MS = 1000;
const STALL_MS = 10_000;
/** How often the log repeats that Redis does not answer. */
const TELL_AGAIN_MS = 60_000;
/** Hints that Redis has not taken yet. Further ones are dropped: workers find queued requests in the database as well. */
const MOST_UNDER_WAY = 1000;

/** bee-queue tells a client by the name of its class, which ioredis's mixins have overwritten. */
class Redis extends IoRedis {}

/**
 * Dispatch between processes: a bee-queue for each engine over one Redis connection. The queues are made anew whenever
 * Redis comes back, because what they set up at their start (their scripts, their waiting) does not survive it.
 */
export class BeeDispatch implements Dispatch {
  readonly #redis: Redis;
  readonly #subscriber: IoRedis;
  readonly #log: Log;
  /** By channel. */
  readonly #listeners = new Map<string, ((requestId: string) => void)[]>();
  #served: { engineIds: readonly string[]; take: (engineId: string) => Promise<void> } | null = null;
  #queues = new Map<string, BeeQueue>();
  #underWay = 0;
  /** When it was told last that Redis does not answer; null while it does. */
  #toldAt: number | null = null;
  #closed = false;

  constructor(url: string, log: Log, { silenceMs }: { readonly silenceMs?: number } = {}) {
    this.#log = log;
    // No time-out of a command: the queues' connections are copies of this one, and they wait for work without end. They are
    // made anew when this one is, which is ended where Redis falls silent.
    this.#redis = new Redis(url, {
      maxRetriesPerRequest: null,
      enableOfflineQueue: true,
      retryStrategy: (times) => Math.min(times * 100, RETRY_MS),
    });
    this.#redis.setMaxListeners(0); // every queue listens to it
    // It subscribes as soon as it is connected, and what asks Redis whether it is ready is then refused.
    this.#subscriber = this.#redis.duplicate({ enableReadyCheck: false });
    for (const client of [this.#redis, this.#subscriber]) {
      client.on('error', (error: Error) => this.#tell(error));
      endSilence(client, silenceMs);
    }
    this.#redis.on('ready', () => {
      if (this.#toldAt !== null) log.info('Redis answers again');
      this.#toldAt = null;
      this.#renew();
    });
    this.#subscriber.on('message', (channel: string, id: string) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(id);
    });
  }

  queued({ engineId, id }: Hint): void {
    const queue = this.#redis.status === 'ready' && this.#underWay < MOST_UNDER_WAY ? this.#queue(engineId) : null;
    if (!queue) return;
    this.#underWay++;
    void queue
      .createJob({})
      .setId(id)
      .save()
      .catch((error: Error) => this.#complain(engineId, error))
      .finally(() => this.#underWay--);
  }

  serve(engineIds: readonly string[], take: (engineId: string) => Promise<void>): void {
    this.#served = { engineIds, take };
    if (this.#redis.status === 'ready') this.#renew();
  }

  ended(requestId: string): void {
    this.#publish(ENDED, requestId);
  }

  onEnded(listener: (requestId: string) => void): void {
    this.#subscribe(ENDED, listener);
  }

  cancel(requestId: string): void {
    this.#publish(CANCELLED, requestId);
  }

  onCancel(listener: (requestId: string) => void): void {
    this.#subscribe(CANCELLED, listener);
  }

  /** A waiting call polls as well, and a worker learns the same from its heartbeat: a lost message delays, no more. */
  #publish(channel: string, requestId: string): void {
    if (this.#redis.status !== 'ready') return;
    void this.#redis.publish(channel, requestId).catch(() => undefined);
  }

  #subscribe(channel: string, listener: (requestId: string) => void): void {
    const listeners = this.#listeners.get(channel) ?? [];
    this.#listeners.set(channel, [...listeners, listener]);
    if (listeners.length === 0) void this.#subscriber.subscribe(channel).catch(() => undefined);
  }

  /** The queues anew, on a connection that has just come up. */
  #renew(): void {
    if (this.#closed) return;
    const former = this.#queues;
    this.#queues = new Map();
    for (const queue of former.values()) void queue.close(1).catch(() => undefined);
    for (const engineId of this.#served?.engineIds ?? []) this.#queue(engineId);
  }

  #queue(engineId: string): BeeQueue {
    const known = this.#queues.get(engineId);
    if (known) return known;
    const take = this.#served?.engineIds.includes(engineId) ? this.#served.take : null;
    const queue = new BeeQueue(`ocr-${engineId}`, {
      redis: this.#redis as never, // its types know node_redis only; it takes either
      isWorker: take !== null,
      getEvents: false,
      sendEvents: false,
      storeJobs: false,
      removeOnSuccess: true,
      removeOnFailure: true,
      activateDelayedJobs: false,
      stallInterval: STALL_MS,
    });
    this.#queues.set(engineId, queue);
    queue.on('error', (error) => this.#complain(engineId, error));
    // A queue that could not start never works: the next one may.
    queue.ready().catch(() => this.#forget(engineId, queue));
    if (take) {
      queue.process(1, () => take(engineId));
      queue.checkStalledJobs(STALL_MS).catch(() => undefined);
    }
    return queue;
  }

  /** It is tried every second by each connection: the log is not to be filled by that. */
  #tell({ message }: Error): void {
    const now = performance.now();
    if (this.#toldAt !== null && now - this.#toldAt < TELL_AGAIN_MS) return;
    this.#toldAt = now;
    this.#log.warn({ err: message }, 'Redis does not answer: work is found in the database meanwhile');
  }

  /** Nothing is lost by it. A Redis that has forgotten the scripts (`SCRIPT FLUSH`) gets them by new queues. */
  #complain(engineId: string, { message }: Error): void {
    this.#log.debug({ err: message, engine: engineId }, 'the queue complains');
    if (message.includes('NOSCRIPT')) this.#renew();
  }

  #forget(engineId: string, queue: BeeQueue): void {
    if (this.#queues.get(engineId) !== queue) return;
    this.#queues.delete(engineId);
    setTimeout(() => {
      if (!this.#closed && this.#redis.status === 'ready') this.#queue(engineId);
    }, RETRY_MS).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close(RETRY_MS)));
    this.#redis.disconnect();
    this.#subscriber.disconnect();
  }
}
