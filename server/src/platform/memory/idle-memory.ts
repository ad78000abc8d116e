import type { Job } from '../slice.ts';
import { type Collection, collect } from './collect.ts';

const LOOK_MS = 15_000;
/** Of a core: what a process takes that only looks after itself. */
const IDLE_SHARE = 0.05;
/** Idle for so many looks: a pause between two bursts is no end of work. */
const IDLE_LOOKS = 2;
/** Above this a process needs its time for others. */
const BUSY_SHARE = 0.4;
const MB = 1024 * 1024;
/** Less is not worth the tenth of a second that it takes when nobody waits. */
const WORTH_BYTES = 8 * MB;
/** What an idle process may gather before it gives back everything once more. */
const MUCH_BYTES = 32 * MB;
/**
 * What a burst leaves above the least that the process has held at its start or after a collection, since one within a burst
 * says nothing of what it needs. It is worth a collection also while somebody is served, now and then: ordinary load takes
 * nearly as much anew.
 */
const BURST_BYTES = 64 * MB;

/** A look to pass by before what is held while somebody is served is collected: it may be what the work needs. */
const RESTED_LOOKS = 1;
/**
 * Such collections that are allowed, as in a token bucket: so many half a minute apart, so that what a burst of a minute or two has
 * left goes within a minute of its end, and then one in ten minutes. Each stands in everybody's way for a tenth of a second, two
 * where new memory is dear, and steady work takes again, within seconds or minutes, what was given back.
 */
const MOST_ALLOWED = 5;
const LOOKS_TO_ALLOW_ONE = 40;

export interface IdleMemoryOptions {
  readonly lookMs?: number;
  /** Processor time of the process so far, in milliseconds. */
  readonly cpuMs?: () => number;
  /** What the process holds in memory, in bytes. */
  readonly heldBytes?: () => number;
  readonly collect?: (what: Collection) => void;
}

/**
 * Gives memory back when nothing is asked of the process, or little after a burst. V8 collects while it allocates: what a
 * start or a burst left behind would stay until the next one. Only a process that has been idle for a while gives back
 * everything; one that serves somebody stays as fast as it is.
 */
export class IdleMemory implements Job, Disposable {
  readonly #options: Required<IdleMemoryOptions>;
  #timer: NodeJS.Timeout | undefined;
  #cpuMs = 0;
  /** Processor time between the last two looks. */
  #busyMs = 0;
  #idleLooks = 0;
  /** Held after the last collection, after the last one of everything, at the least after another or at the start, and the most before one of a burst. */
  #keptBytes = 0;
  #cleanBytes = 0;
  #leastBytes = 0;
  #burstBytes = 0;
  /** Collections that may still be made while somebody is served, looks to pass by before the next of them, and looks since one more was allowed. */
  #allowed = MOST_ALLOWED;
  #restLooks = RESTED_LOOKS;
  #looksSinceAllowed = 0;

  constructor(options: IdleMemoryOptions = {}) {
    this.#options = { lookMs: LOOK_MS, cpuMs: cpuMsOfProcess, heldBytes: process.memoryUsage.rss, collect, ...options };
  }

  start(): void {
    this.#cpuMs = this.#options.cpuMs();
    this.#leastBytes = this.#options.heldBytes();
    this.#timer ??= setInterval(() => this.#look(), this.#options.lookMs).unref();
  }

  #look(): void {
    const { lookMs, cpuMs, heldBytes } = this.#options;
    const busyMs = cpuMs() - this.#cpuMs;
    this.#cpuMs += busyMs;
    // Work that has become half of what it was: what it left is not what goes on takes anew.
    const hasEased = busyMs < this.#busyMs / 2;
    this.#busyMs = busyMs;
    this.#allowMore();
    const isIdle = busyMs <= IDLE_SHARE * lookMs;
    this.#idleLooks = isIdle ? this.#idleLooks + 1 : 0;
    if (busyMs > BUSY_SHARE * lookMs) return;
    if (isIdle) this.#whenIdle(heldBytes());
    else this.#whenLittleIsAsked(heldBytes(), hasEased);
  }

  #whenIdle(held: number): void {
    if (this.#idleLooks < IDLE_LOOKS || held < this.#keptBytes + WORTH_BYTES) return;
    this.#collect(held < this.#cleanBytes + MUCH_BYTES ? 'garbage' : 'everything');
  }

  #whenLittleIsAsked(held: number, hasEased: boolean): void {
    if (held < this.#leastBytes + BURST_BYTES) {
      this.#restLooks = RESTED_LOOKS;
      return;
    }
    if (held >= this.#burstBytes + BURST_BYTES) {
      this.#allowed = MOST_ALLOWED;
      this.#looksSinceAllowed = 0;
      this.#restLooks = RESTED_LOOKS;
      this.#burstBytes = held;
    }
    if (this.#allowed === 0 || (!hasEased && this.#restLooks-- > 0)) return;
    this.#allowed--;
    this.#restLooks = RESTED_LOOKS;
    this.#burstBytes = Math.max(this.#burstBytes, held);
    this.#collect('garbage');
  }

  #allowMore(): void {
    if (this.#allowed === MOST_ALLOWED || ++this.#looksSinceAllowed < LOOKS_TO_ALLOW_ONE) return;
    this.#looksSinceAllowed = 0;
    this.#allowed++;
    if (this.#allowed === MOST_ALLOWED) this.#burstBytes = 0;
  }

  #collect(what: Collection): void {
    const { cpuMs, heldBytes, collect: giveBack } = this.#options;
    giveBack(what);
    this.#keptBytes = heldBytes();
    if (what === 'everything') this.#cleanBytes = this.#keptBytes;
    // What an idle process gave back is what ordinary work takes again.
    else this.#leastBytes = Math.min(this.#leastBytes, this.#keptBytes);
    this.#cpuMs = cpuMs(); // its own work says nothing of the process's
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
