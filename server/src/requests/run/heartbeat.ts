import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker as Thread } from 'node:worker_threads';
import type { Log } from '../../platform/logging/log.ts';
import {
  BEAT_AT,
  CELLS,
  type FromHeartbeat,
  type HeartbeatData,
  type HeldAnswer,
  STARTED,
  TICK,
  type ToHeartbeat,
} from './heartbeat-messages.ts';

/** The thread's entry is a file of its own beside this one: TypeScript under the tests, JavaScript when built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './heartbeat-thread.ts' : './heartbeat-thread.js',
  import.meta.url,
);
const TICK_MS = 500;
/** A main thread that stands still for longer has lost its leases: its requests run in another process. */
const STALL_MS = 120_000;
const FIRST_BEAT_MS = 30_000;
const LEAVE_MS = 3000;
const RESTART_MS = 1000;

export interface HeartbeatOptions {
  readonly url: string;
  readonly owner: string;
  readonly leaseMs: number;
  /** Engines of which this process takes queued requests. */
  readonly engineIds: readonly string[];
  readonly log: Log;
}

/**
 * Keeps this process's lease alive, from a thread and a connection of its own: neither an event loop that is busy for
 * half a minute nor a full pool costs the process what it works on.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #options: HeartbeatOptions;
  readonly #cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT));
  readonly #ticking: NodeJS.Timeout;
  #thread: Thread;
  #onHeld: (answer: HeldAnswer) => void = () => undefined;
  #running: () => Readonly<Record<string, number>> = () => ({});
  #told = '';
  #failedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** Begins at once; `ready` resolves after the first beat. */
  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#thread = this.#start();
    this.#ticking = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Resolves when the lease is there for the first time. */
  async ready(): Promise<void> {
    const late = performance.now() + FIRST_BEAT_MS;
    while (!this.isAlive) {
      if (performance.now() > late) throw new Error('The database did not take the first heartbeat of this process.');
      await sleep(TICK_MS / 50);
    }
  }

  /** Whether the database has heard of this process within the time of a lease. */
  get isAlive(): boolean {
    return Date.now() / 1000 - Atomics.load(this.#cells, BEAT_AT) < this.#options.leaseMs / 1000;
  }

  /** When a heartbeat last failed (`performance.now()`). Those of other processes are likely to have failed, too. */
  get failedAt(): number {
    return this.#failedAt;
  }

  /**
   * From now on each beat reports what the worker runs, by engine, and `onHeld` gets the leases that the database has for
   * this process.
   */
  attach(worker: { running(): Readonly<Record<string, number>>; onHeld(answer: HeldAnswer): void }): void {
    this.#running = () => worker.running();
    this.#onHeld = (answer) => worker.onHeld(answer);
  }

  /** Counts a start of work, and answers which one it is. A `HeldAnswer` that was asked for earlier does not have it yet. */
  countStart(): number {
    return Atomics.add(this.#cells, STARTED, 1) + 1;
  }

  #start(): Thread {
    const { url, owner, leaseMs, engineIds, log } = this.#options;
    const shared = this.#cells.buffer as SharedArrayBuffer; // it was made from one
    const workerData: HeartbeatData = { url, owner, leaseMs, engineIds, stallMs: STALL_MS, shared };
    const thread = new Thread(ENTRY, { workerData, name: 'heartbeat' });
    thread.unref();
    thread.on('message', (message: FromHeartbeat) => {
      if (message.kind === 'held') this.#onHeld(message);
      if (message.kind === 'unseen') log.warn({ err: message.message }, 'what is held could not be looked at');
      if (message.kind !== 'failed') return;
      this.#failedAt = performance.now();
      log.warn({ err: message.message }, 'the lease could not be renewed');
    });
    thread.on('error', (error) => log.error({ err: error }, 'the heartbeat broke off'));
    thread.on('exit', () => {
      if (this.#closed) return;
      setTimeout(() => {
        if (!this.#closed) this.#thread = this.#start();
      }, RESTART_MS).unref();
    });
    this.#told = '';
    return thread;
  }

  #tick(): void {
    Atomics.add(this.#cells, TICK, 1);
    const running = this.#running();
    const text = JSON.stringify(running);
    if (text === this.#told) return;
    this.#told = text;
    this.#tell({ kind: 'running', running });
  }

  #tell(message: ToHeartbeat): void {
    this.#thread.postMessage(message);
  }

  /** Gives the lease up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#ticking);
    const ended = once(this.#thread, 'exit');
    this.#tell({ kind: 'leave' });
    const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref());
    await Promise.race([ended, late]);
    await this.#thread.terminate();
  }
}
