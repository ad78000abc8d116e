import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Job } from './slice.ts';

const LOOK_MS = 30_000;
/** Of a core: what a process takes that only looks after itself. */
const IDLE_SHARE = 0.05;
/** Above this a process needs its time for others. */
const BUSY_SHARE = 0.4;
const MB = 1024 * 1024;
/** Less is not worth the tenth of a second that it takes when nobody waits. */
const WORTH_BYTES = 8 * MB;
/** What a burst leaves: worth it also while some calls have to wait for that long. */
const BURST_BYTES = 32 * MB;

/** Half an hour. */
const MOST_RESTED_LOOKS = 63;

export interface IdleMemoryOptions {
  readonly lookMs?: number;
  /** Processor time of the process so far, in milliseconds. */
  readonly cpuMs?: () => number;
  /** What the process holds in memory, in bytes. */
  readonly heldBytes?: () => number;
  readonly collect?: () => void;
}

/**
 * Gives memory back when nothing is asked of the process, or little after a burst. V8 collects while it allocates: what a
 * start or a burst left behind would stay until the next one.
 */
export class IdleMemory implements Job, Disposable {
  readonly #options: Required<IdleMemoryOptions>;
  #timer: NodeJS.Timeout | undefined;
  #cpuMs = 0;
  /** Processor time between the last two looks. */
  #busyMs = 0;
  /** After the last collection, and before the last one while some was asked. */
  #keptBytes = 0;
  #burstBytes = 0;
  /** Looks to pass by: what steady work takes anew each time is not collected each time. */
  readonly #rest = { looks: 0, left: 0 };

  constructor(options: IdleMemoryOptions = {}) {
    this.#options = { lookMs: LOOK_MS, cpuMs: cpuMsOfProcess, heldBytes: process.memoryUsage.rss, collect, ...options };
  }

  start(): void {
    this.#cpuMs = this.#options.cpuMs();
    this.#timer ??= setInterval(() => this.#look(), this.#options.lookMs).unref();
  }

  #look(): void {
    const { lookMs, cpuMs, heldBytes, collect: giveBack } = this.#options;
    const busyMs = cpuMs() - this.#cpuMs;
    this.#cpuMs += busyMs;
    // Work that has become half of what it was: what it left is not what goes on takes anew.
    if (busyMs < this.#busyMs / 2) this.#endRest();
    this.#busyMs = busyMs;
    if (busyMs > BUSY_SHARE * lookMs) return;
    const isIdle = busyMs <= IDLE_SHARE * lookMs;
    const held = heldBytes();
    if (held < this.#keptBytes + (isIdle ? WORTH_BYTES : BURST_BYTES)) return void this.#endRest();
    if (!isIdle && this.#rests(held)) return;
    giveBack();
    this.#keptBytes = heldBytes();
    this.#cpuMs = cpuMs(); // its own work says nothing of the process's
  }

  /** Whether this is what the work took again since the last time: looked at after one, three, seven … looks. */
  #rests(heldBytes: number): boolean {
    const isMore = heldBytes >= this.#burstBytes + BURST_BYTES;
    if (!isMore && this.#rest.left-- > 0) return true;
    this.#rest.looks = Math.min(2 * this.#rest.looks + 1, MOST_RESTED_LOOKS);
    this.#rest.left = this.#rest.looks;
    this.#burstBytes = heldBytes;
    return false;
  }

  #endRest(): void {
    Object.assign(this.#rest, { looks: 0, left: 0 });
    this.#burstBytes = 0;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** V8 hands its collector out to code that is compiled while the flag is set. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: object) => void; // `as`: V8's own
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
