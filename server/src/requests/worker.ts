import type { Catalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/engine.ts';
import { LeaseLostError, ShutdownError } from '../engines/stop-reasons.ts';
import type { Log } from '../log.ts';
import type { Leases } from './leases.ts';
import type { Assignment, Processing } from './process.job.ts';

/**
 * Runs requests in this process: those that acceptance starts at once, and queued ones that it claims whenever an
 * engine has a place. Each engine has as many requests at work as it takes calls.
 */
export class Worker implements AsyncDisposable {
  readonly #processing: Processing;
  readonly #leases: Leases;
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #busy = new Map<string, number>();
  /** Engines that may have queued requests: new ones do not overtake them. */
  readonly #backlog = new Set<string>();
  /** Who waits for a free place, by engine. */
  readonly #waitingForRoom = new Map<string, (() => void)[]>();
  readonly #heartbeat: NodeJS.Timeout;
  #claiming: Promise<void> | null = null;
  #closed = false;

  constructor(deps: { processing: Processing; leases: Leases; catalogue: Catalogue; leaseMs: number; log: Log }) {
    this.#processing = deps.processing;
    this.#leases = deps.leases;
    this.#catalogue = deps.catalogue;
    this.#log = deps.log;
    this.#heartbeat = setInterval(() => void this.#renew(), deps.leaseMs / 3).unref();
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Reserves a place for a request that is about to be accepted; null when it has to queue. */
  reserve(engine: Engine): Reservation | null {
    if (this.#closed || this.#backlog.has(engine.id) || this.#places(engine) <= 0) return null;
    this.#occupy(engine.id, 1);
    let open = true;
    const close = () => {
      const first = open;
      open = false;
      return first;
    };
    return {
      start: (assignment) => {
        if (close()) this.#start(assignment);
      },
      release: () => {
        if (!close()) return;
        this.#occupy(engine.id, -1);
        if (this.#backlog.has(engine.id)) this.wake();
      },
    };
  }

  /** There is (or may be) a queued request of this engine. */
  announce(engineId: string): void {
    this.#backlog.add(engineId);
    this.wake();
  }

  /** Claims what an announcement promises, and resolves when there is room for another one. */
  async take(engineId: string): Promise<void> {
    this.announce(engineId);
    await this.#claiming;
    const engine = this.#catalogue.find(engineId);
    if (this.#closed || !engine || this.#places(engine) > 0) return;
    await new Promise<void>((resolve) => {
      this.#waitingForRoom.set(engineId, [...(this.#waitingForRoom.get(engineId) ?? []), resolve]);
    });
  }

  /** Claims queued requests for every place that is free. */
  wake(): void {
    if (this.#closed || this.#claiming) return;
    this.#claiming = this.#claimAll()
      .catch((error) => this.#log.warn({ err: error }, 'claiming failed; the sweeper tries again'))
      .finally(() => {
        this.#claiming = null;
      });
  }

  async #claimAll(): Promise<void> {
    for (const id of [...this.#backlog]) {
      const engine = this.#catalogue.find(id);
      if (!engine) {
        this.#backlog.delete(id);
        continue;
      }
      const places = this.#places(engine);
      if (places <= 0) continue; // the next end of a request wakes us
      const claimed = await this.#leases.claim(engine, places);
      if (claimed.length < places) this.#backlog.delete(id);
      for (const each of claimed) {
        this.#occupy(id, 1);
        this.#start({ ...each, document: null, isStored: true });
      }
    }
  }

  #places(engine: Engine): number {
    return engine.concurrency - (this.#busy.get(engine.id) ?? 0);
  }

  #occupy(engineId: string, change: 1 | -1): void {
    this.#busy.set(engineId, (this.#busy.get(engineId) ?? 0) + change);
    if (change < 0) this.#tellRoom(engineId);
  }

  #tellRoom(engineId: string): void {
    const waiting = this.#waitingForRoom.get(engineId) ?? [];
    this.#waitingForRoom.delete(engineId);
    for (const resolve of waiting) resolve();
  }

  #start(assignment: Assignment): void {
    const { request } = assignment;
    const stop = new AbortController();
    if (this.#closed) stop.abort(new ShutdownError('the process stops'));
    let held = true;
    const free = () => {
      if (!held) return;
      held = false;
      this.#occupy(request.requestedEngine, -1);
      if (this.#backlog.size > 0) this.wake();
    };
    // The place is free as soon as the engine has done its part: the next request comes while this one is settled.
    const done = this.#processing.run(assignment, stop, free).finally(() => {
      this.#running.delete(request.id);
      free();
    });
    this.#running.set(request.id, { stop, done });
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    try {
      const ours = await this.#leases.renew(ids);
      for (const id of ids) {
        if (!ours.has(id))
          this.#running.get(id)?.stop.abort(new LeaseLostError('the lease has gone to another process'));
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  /** Takes no more work; resolves when what runs has ended, or when the time is over. */
  async drain(limitMs: number): Promise<void> {
    this.#close();
    const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
    await Promise.race([late, Promise.allSettled([...this.#running.values()].map(({ done }) => done))]);
  }

  #close(): void {
    this.#closed = true;
    for (const engineId of [...this.#waitingForRoom.keys()]) this.#tellRoom(engineId);
  }

  /** Takes no more work, and hands back what runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    for (const { stop } of this.#running.values()) stop.abort(new ShutdownError('the process stops'));
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    await this.#claiming;
    clearInterval(this.#heartbeat);
  }
}

export interface Reservation {
  /** Begins the work on a request that was accepted with this process's lease. */
  start(assignment: Assignment): void;
  /** Gives the place back: the request was not accepted. */
  release(): void;
}
