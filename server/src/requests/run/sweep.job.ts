import { Periodic } from '../../platform/concurrency/periodic.ts';
import { Throttle } from '../../platform/concurrency/throttle.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import type { RequestLookup } from '../store/find.ts';
import type { DeadOwner, LeaseExpiry } from '../store/lease-expiry.ts';
import type { Leases } from '../store/leases.ts';
import type { PassingTexts } from '../store/passing-texts.ts';
import type { Queue } from '../store/queue.ts';
import type { SettlementStore } from '../store/settle/settle.ts';
import { giveUp, reportGivenUp } from './give-up.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { UnservedEngines } from './unserved-engines.ts';
import type { Worker } from './worker.ts';

const EVERY_MS = 2000;
/** Beside the time between two heartbeats: how long one may take. */
const BEAT_MS = 500;
/** Pause between two looks for what is rare: rows of older versions, and rows that came late to their place in the queue. */
const RARELY_MS = 10_000;

export interface SweeperDeps {
  readonly leases: Leases;
  readonly expiry: LeaseExpiry;
  readonly queue: Queue;
  readonly worker: Worker;
  /** Null in a process that only answers callers. */
  readonly heartbeat: Heartbeat | null;
  readonly lookup: RequestLookup;
  readonly settlements: SettlementStore;
  readonly changes: RequestChanges;
  readonly cancellations: { endQueued(): Promise<void> };
  readonly passing: Pick<PassingTexts, 'removeOld'>;
  readonly unserved: Pick<UnservedEngines, 'sweep'>;
  /** Engines of which this process takes requests. */
  readonly engineIds: readonly string[];
  readonly leaseMs: number;
  /** Called with the number of requests that were taken from processes whose lease had run out. */
  readonly onLeasesLost: (requests: number) => void;
  readonly log: Log;
}

/**
 * Looks for requests that no process works on: those of dead processes, queued ones of which no hint arrived, and those whose
 * engine is gone.
 */
export class Sweeper implements AsyncDisposable {
  readonly #deps: SweeperDeps;
  readonly #rarely = new Throttle(RARELY_MS, { rest: 100 }); // every process does it
  readonly #wholeQueue = new Throttle(RARELY_MS);
  readonly #cancelled = new Throttle(RARELY_MS); // somebody waits for it
  readonly #passing = new Throttle(RARELY_MS);
  /** Dead processes as the last sweep saw them, with the time (of `performance.now()`) at which each was first seen like that. */
  #dead = new Map<string, { readonly expiredAt: string; readonly since: number }>();
  #lastSeen = Number.NEGATIVE_INFINITY;
  #steadySince = 0;
  readonly #periodic: Periodic;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    this.#periodic = new Periodic(() => this.sweep(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'sweeping failed'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  async sweep(): Promise<void> {
    const { queue, expiry, leases, cancellations, passing, unserved } = this.#deps;
    await this.#buryDead();
    await this.#rarely.look(async () => {
      if (this.#isSteady) await expiry.adopt();
      await queue.reconcile();
    });
    await this.#cancelled.look(() => cancellations.endQueued());
    await this.#wholeQueue.look(async () => leases.lookEverywhere());
    await this.#takeQueued();
    await this.#passing.look(() => passing.removeOld());
    if (this.#isSteady) await unserved.sweep();
  }

  /**
   * A process is dead when sweep after sweep found its lease run out, with the same time, for longer than a living one is between
   * two heartbeats: where the database's clock jumps ahead, or everything was suspended, all leases have run out. After an outage
   * no lease may be judged before every process had the time of a lease to renew its own: an outage shows as a gap between two
   * sweeps, or, where the database only took no writes (a failover, a full disk), as a failed heartbeat of this process.
   */
  async #buryDead(): Promise<void> {
    const { expiry, leaseMs, onLeasesLost, log } = this.#deps;
    const dead = await expiry.dead();
    this.#noteSeen();
    const now = performance.now();
    const sinceOf = ({ owner, expiredAt }: DeadOwner) => {
      const before = this.#dead.get(owner);
      return before?.expiredAt === expiredAt ? before.since : now;
    };
    this.#dead = new Map(dead.map((each) => [each.owner, { expiredAt: each.expiredAt, since: sinceOf(each) }]));
    const certain = dead.filter(({ owner }) => now - (this.#dead.get(owner)?.since ?? now) >= leaseMs / 3 + BEAT_MS);
    if (certain.length === 0 || !this.#isSteady) return;
    const { freed, givenUp } = await expiry.expire(certain);
    onLeasesLost(freed + givenUp.length);
    if (freed > 0) log.warn({ requests: freed }, 'requests of a lost process run again');
    for (const id of givenUp) await this.#giveUp(id);
  }

  #noteSeen(): void {
    const now = performance.now();
    if (now - this.#lastSeen > this.#deps.leaseMs / 2) this.#steadySince = now;
    this.#lastSeen = now;
  }

  get #isSteady(): boolean {
    const failedAt = this.#deps.heartbeat?.failedAt ?? Number.NEGATIVE_INFINITY;
    return performance.now() - Math.max(this.#steadySince, failedAt) >= this.#deps.leaseMs;
  }

  async #giveUp(id: string): Promise<void> {
    const error = new AppError(
      'internal_error',
      'The request was started several times and never ended. Nothing was charged.',
    );
    const isEnded = await reportGivenUp(id, giveUp(id, error, this.#deps), this.#deps);
    if (isEnded) this.#deps.log.error({ requestId: id }, 'request given up');
  }

  async #takeQueued(): Promise<void> {
    const { queue, worker, leases, engineIds } = this.#deps;
    for (const { engine, waits, suspects, alone } of await queue.waiting(engineIds, (id) => leases.boundsOf(id))) {
      if (alone) await worker.takeSuspects(engine, { alone: true });
      if (suspects) await worker.takeSuspects(engine, { alone: false });
      if (waits) worker.noteQueued(engine);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}
