import { addressBucket } from '../../platform/address-bucket.ts';
import { AppError } from '../../platform/errors.ts';
import { refusalDelayMs } from './refusal-delay.ts';

const WINDOW_MS = 60_000;
/** A network of IPv6 (a /48), which is what one customer is given at most, counts as so many addresses. */
const NETWORK_ADDRESSES = 5;
/** Beyond this many the longest known is forgotten, which is its gain of a minute. */
const MOST_ADDRESSES = 20_000;

interface Window {
  readonly endsAt: number;
  hits: number;
  refusals: number;
}

interface Place {
  readonly bucket: string;
  /** Calls of one window. */
  readonly most: number;
  readonly name: string;
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

  /** Counts a call; throws 429 above the limit of its address, or of its network. */
  hit(address: string): void {
    for (const place of this.#placesOf(address)) {
      const window = this.#windowOf(place.bucket);
      window.hits += 1;
      if (window.hits > place.most) throw this.#refusal(window, place);
    }
  }

  /** Throws 429 for an address that has used up its minute, without counting: for what costs more than a count. */
  requireRoom(address: string): void {
    for (const place of this.#placesOf(address)) {
      const window = this.#windowOf(place.bucket);
      if (window.hits >= place.most) throw this.#refusal(window, place);
    }
  }

  /** The network first: the addresses of one that is above its limit are given no window. */
  #placesOf(address: string): readonly Place[] {
    const [network, own] = [addressBucket(address, 'wide'), addressBucket(address)];
    const ofAddress = { bucket: own, most: this.#perMinute, name: 'an address' };
    if (network === own) return [ofAddress];
    return [{ bucket: network, most: this.#perMinute * NETWORK_ADDRESSES, name: 'a network' }, ofAddress];
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

  #refusal(window: Window, { most, name }: Place): AppError {
    window.refusals += 1;
    const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1000));
    const message = `Without a valid key ${name} may make ${most} calls a minute. Try again in ${retryAfterSeconds} s.`;
    const answerAfterMs = refusalDelayMs(window.refusals);
    return new AppError('rate_limited', message, { retryAfterSeconds, answerAfterMs });
  }
}
