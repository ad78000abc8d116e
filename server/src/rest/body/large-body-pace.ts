import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';

/**
 * Of one party's large bodies, while others call. Reading, parsing, decoding and passing on one megabyte takes the service's
 * thread for some five milliseconds: a tenth of it at this rate.
 */
const RATE = { burst: 16 * 1024 * 1024, perSecond: 20 * 1024 * 1024 };

/** How fast large bodies are let in: as fast as they come for a party that is alone, at a rate beside others. */
export class LargeBodyPace {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #rate = new ByteRate(RATE);
  readonly #waking = new Set<string>();

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /** Whether the next may come in now. Where it may not, `onReady` is called as soon as it may. */
  admits(party: string, onReady: () => void): boolean {
    const waitMs = this.#parties.hasOthers(party) ? this.#rate.take(party, 0) : 0;
    if (waitMs === 0) return true;
    if (!this.#waking.has(party)) this.#wake(party, waitMs, onReady);
    return false;
  }

  /** Counts one that comes in. */
  count(party: string, bytes: number): void {
    if (this.#parties.hasOthers(party)) this.#rate.take(party, bytes);
  }

  #wake(party: string, afterMs: number, onReady: () => void): void {
    this.#waking.add(party);
    const wake = () => {
      this.#waking.delete(party);
      onReady();
    };
    setTimeout(wake, Math.ceil(afterMs)).unref();
  }
}
