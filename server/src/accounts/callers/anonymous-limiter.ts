import { AppError } from '../../platform/errors.ts';
import { addressBucket } from './client-address.ts';
import { refusalDelayMs } from './refusal-delay.ts';

const WINDOW_MS = 60_000;
/** Beyond this many the longest known is forgotten, which is its gain of a minute. */
const MOST_ADDRESSES = 20_000;

interface Window {
  readonly endsAt: number;
  hits: number;
  refusals: number;
}

/**
 * Counts the calls of whoever has no key, or none that is good, by address and in windows of one minute. It counts in
 * this process alone and in a bounded space: what it guards is the process, and no caller without a key is worth a
 * statement. A key that was good before is never refused for the others at its address.
 */
export class AnonymousLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts a call; throws 429 above the limit. */
  hit(address: string): void {
    const window = this.#windowOf(addressBucket(address));
    window.hits += 1;
    if (window.hits > this.#perMinute) throw this.#refusal(window);
  }

  /** Throws 429 for an address that has used up its minute, without counting: for what costs more than a count. */
  requireRoom(address: string): void {
    const window = this.#windowOf(addressBucket(address));
    if (window.hits >= this.#perMinute) throw this.#refusal(window);
  }

  #windowOf(bucket: string): Window {
    const known = this.#windows.get(bucket);
    if (known && known.endsAt > this.#now()) return known;
    const made = { endsAt: this.#now() + WINDOW_MS, hits: 0, refusals: 0 };
    this.#windows.delete(bucket); // the order of the map is that of the windows' beginnings
    this.#windows.set(bucket, made);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MOST_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    return made;
  }

  #refusal(window: Window): AppError {
    window.refusals += 1;
    const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1000));
    const message = `Without a valid key an address may make ${this.#perMinute} calls a minute. Try again in ${retryAfterSeconds} s.`;
    const answerAfterMs = refusalDelayMs(window.refusals);
    return new AppError('rate_limited', message, { retryAfterSeconds, answerAfterMs });
  }
}
