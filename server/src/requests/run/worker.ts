import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError, LeaseLostError, ShutdownError } from '../../engines/model/stop-reasons.ts';
import { InFlight } from '../../platform/concurrency/in-flight.ts';
import type { Log } from '../../platform/logging/log.ts';
import { inTrace, noteSpan } from '../../platform/tracing/spans.ts';
import { EnginePlaces } from '../places/engine-places.ts';
import { runPlace } from '../places/run-place.ts';
import { SlowDocuments } from '../places/slow-documents.ts';
import type { LeaseExpiry } from '../store/lease-expiry.ts';
import type { Claimed, Leases } from '../store/leases.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { HeldAnswer, HeldRequest } from './heartbeat-messages.ts';
import { QueueClaims } from './queue-claims.ts';
import type { Assignment } from './run-documents.ts';
import type { RequestRunner } from './run-request.ts';
import { StrayLeases } from './stray-leases.ts';

/** How many requests that were at work when a process died may run side by side in one process. */
const MOST_SUSPECTS = 8;

export interface WorkerDeps {
  readonly runner: RequestRunner;
  readonly leases: Leases;
  readonly expiry: LeaseExpiry;
  /** Null where no work is done. */
  readonly heartbeat: Heartbeat | null;
  readonly catalogue: Catalogue;
  readonly log: Log;
}

interface Run {
  readonly assignment: Assignment;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** Which start of work of this process it is; see `Heartbeat.countStart`. */
  readonly nth: number;
}

/**
 * Runs requests in this process: those that acceptance starts at once, and queued ones that it claims whenever an
 * engine has a place. Each engine has as many requests at work as it takes calls.
 */
export class Worker implements AsyncDisposable {
  readonly #deps: WorkerDeps;
  /** By lease, not by request: what runs under an older lease of the same request is another run. */
  readonly #running = new InFlight<string, Run>();
  readonly #places = new EnginePlaces();
  readonly #slow = new SlowDocuments(() => this.#claims.resume());
  readonly #strays: StrayLeases;
  readonly #claims: QueueClaims;
  /** A suspect that has to run alone: nothing else begins until it has ended. */
  #trial: Claimed | null = null;
  #closed = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#strays = new StrayLeases(deps);
    this.#claims = new QueueClaims({
      ...deps,
      ...{ places: this.#places, slow: this.#slow, strays: this.#strays },
      isOpen: () => this.#isOpen,
      begin: (claimed) => this.#beginAll(claimed),
    });
    deps.heartbeat?.attach(this);
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Requests at work, by engine. */
  running(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { assignment } of this.#running.values()) {
      const id = assignment.request.requestedEngine;
      counts[id] = (counts[id] ?? 0) + 1;
    }
    return counts;
  }

  /** Whether a run of this request is under way here, which answers who waits for it. */
  runs(requestId: string): boolean {
    for (const { assignment } of this.#running.values()) if (assignment.request.id === requestId) return true;
    return false;
  }

  /** Reserves a place for a request of an account that is about to be accepted; null when it has to queue. */
  reserve(engine: Engine, accountId: string): Reservation | null {
    if (!this.#isOpen || this.#claims.mayWait(engine.id) || this.#places.free(engine) <= 0) return null;
    if (this.#slow.isAtLimit(accountId)) return null;
    this.#places.take(engine.id);
    const taking = this.#strays.begin();
    let open = true;
    let after: Promise<unknown> = Promise.resolve();
    const close = () => {
      const first = open;
      open = false;
      if (first) void after.finally(() => taking[Symbol.dispose]());
      return first;
    };
    return {
      start: (assignment) => {
        if (open) this.#start(assignment);
        close();
      },
      release: () => {
        if (!close()) return;
        this.#places.giveBack(engine.id);
        if (this.#claims.mayWait(engine.id)) this.wake();
      },
      awaits: (settled) => {
        after = settled;
      },
    };
  }

  /** There is (or may be) a queued request of this engine. */
  noteQueued(engineId: string): void {
    this.#claims.noteQueued(engineId);
  }

  /** Claims queued requests of the engine, and resolves when there is room for another one. */
  async take(engineId: string): Promise<void> {
    this.noteQueued(engineId);
    await this.#claims.idle;
    const engine = this.#deps.catalogue.find(engineId);
    if (this.#closed || !engine || this.#places.free(engine) > 0) return;
    await this.#places.untilFree(engineId);
  }

  /** Claims queued requests for every place that is free. */
  wake(): void {
    this.#claims.wake();
  }

  /** Claims what was at work when a process died: a few at a time, or one alone. */
  async takeSuspects(engineId: string, { alone }: { alone: boolean }): Promise<void> {
    const engine = this.#deps.catalogue.find(engineId);
    if (!engine || !this.#isOpen) return;
    const suspects = [...this.#running.values()].filter(({ assignment }) => assignment.request.suspicion !== null);
    const room = alone ? 1 : Math.min(this.#places.free(engine), MOST_SUSPECTS - suspects.length);
    if (room <= 0) return;
    await this.#claims.claimInto(engine, room, async () => {
      const claim = await this.#deps.leases.claimSuspects(engine, room, { alone });
      if (alone) this.#trial = claim.claimed[0] ?? null;
      return claim;
    });
  }

  /** Stops the work on a request, where this process has it; what was read by then stands. */
  cancel(requestId: string): void {
    for (const { assignment, stop } of this.#running.values()) {
      if (assignment.request.id === requestId) stop.abort(cancelled());
    }
    // A trial that has not begun need not wait to be alone any more: nothing of it will be read.
    const trial = this.#trial;
    if (trial?.request.id === requestId && !this.#running.has(keyOf(trial.request))) this.#begin(trial, cancelled());
  }

  /**
   * Compares what runs here with what the database says that this process holds: stops runs whose lease is gone or whose
   * request was cancelled, and gives back leases without a run.
   */
  onHeld({ startedBefore, held }: HeldAnswer): void {
    for (const { id, cancelled } of held) if (cancelled) this.cancel(id);
    const keys = new Set(held.map(keyOf));
    for (const [key, { nth, stop }] of this.#running.entries()) {
      if (nth <= startedBefore && !keys.has(key))
        stop.abort(new LeaseLostError('the lease has gone to another process'));
    }
    const isKnown = (lease: HeldRequest) =>
      this.#running.has(keyOf(lease)) || (this.#trial !== null && keyOf(this.#trial.request) === keyOf(lease));
    this.#strays.giveBackAmong(held.filter((lease) => !isKnown(lease)));
  }

  #beginAll(claimed: readonly Claimed[]): void {
    for (const each of claimed) if (each !== this.#trial) this.#begin(each);
    this.#beginTrial();
  }

  #begin(claimed: Claimed, stopped?: Error): void {
    // A crash of the database has undone the claim of a run that is still under way: that run goes on under the new claim.
    const { request } = claimed;
    if (this.#running.has(keyOf(request))) {
      this.#places.giveBack(request.requestedEngine);
      return;
    }
    if (request.starts === 1) inTrace(request.trace, () => noteSpan('queue', request.createdAt));
    this.#start({ ...claimed, document: null, isStored: true }, stopped);
  }

  /** As soon as nothing else runs. */
  #beginTrial(): void {
    if (this.#trial && this.#running.size === 0) this.#begin(this.#trial);
  }

  /** Whether work may begin here now. */
  get #isOpen(): boolean {
    return !this.#closed && this.#trial === null && this.#deps.heartbeat?.isAlive === true;
  }

  /** `stopped`: the reason with which the run is stopped from its beginning. */
  #start(assignment: Assignment, stopped?: Error): void {
    const { request } = assignment;
    const key = keyOf(request);
    const stop = new AbortController();
    if (stopped) stop.abort(stopped);
    else if (this.#closed) stop.abort(new ShutdownError('the process stops'));
    const { requestedEngine: id, accountId } = request;
    const onFree = () => this.#claims.noteFree();
    const engine = { id, concurrency: this.#deps.catalogue.find(id)?.concurrency ?? 0 };
    const place = runPlace({ engine, accountId, places: this.#places, slow: this.#slow, onFree });
    // The place is free as soon as the engine has done its part: the next request comes while this one is settled.
    const done = inTrace(request.trace, () => this.#deps.runner.run(assignment, stop, place)).then((end) => {
      this.#running.delete(key);
      if (end === 'left') this.#strays.noteUnfinished(request);
      if (this.#trial && keyOf(this.#trial.request) === key) this.#trial = null;
      place.free();
      this.#beginTrial();
    });
    this.#running.set(key, { assignment, stop, done, nth: this.#deps.heartbeat?.countStart() ?? 0 });
  }

  /** Takes no more work; resolves when what runs has ended, or when the time is over. */
  async drain(limitMs: number): Promise<void> {
    this.#close();
    const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
    await Promise.race([late, Promise.allSettled([...this.#running.values()].map(({ done }) => done))]);
  }

  #close(): void {
    this.#closed = true;
    this.#places.wakeAll();
  }

  /** Takes no more work, and hands back every request that it holds, running or not. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    for (const { stop } of this.#running.values()) stop.abort(new ShutdownError('the process stops'));
    await this.#claims.idle;
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    if (this.#deps.heartbeat) await this.#strays.giveBackAll();
  }
}

export interface Reservation {
  /** Begins the work on a request that was accepted with this process's lease. */
  start(assignment: Assignment): void;
  /** Gives the place back: the request was not accepted. */
  release(): void;
  /** Keeps the lease from being given back as a stray one until `settled` resolves, which it always does. */
  awaits(settled: Promise<unknown>): void;
}

function cancelled(): CancelledError {
  return new CancelledError('the request was cancelled');
}

function keyOf({ id, fence }: HeldRequest): string {
  return `${id}:${fence}`;
}
