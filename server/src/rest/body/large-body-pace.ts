import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';

/**
 * Bytes of one party's large bodies while others call. Reading, parsing, decoding and passing on a megabyte takes the service's
 * thread for about five milliseconds: a tenth of its time at this rate.
 */
const RATE = { burst: 16 * 1024 * 1024, perSecond: 20 * 1024 * 1024 };

/** Paces large bodies: a party that is alone has no limit, one beside others has a rate. */
export class LargeBodyPace {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  readonly #rate = new ByteRate(RATE);
  readonly #waking = new Set<string>();

  constructor(parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#parties = parties;
  }

  /** Whether the party's next large body may come in now. Where it may not, `onReady` is called as soon as it may. */
  admits(party: string, onReady: () => void): boolean {
    const waitMs = this.#parties.hasOthers(party) ? this.#rate.take(party, 0) : 0;
    if (waitMs === 0) return true;
    if (!this.#waking.has(party)) this.#wake(party, waitMs, onReady);
    return false;
  }

  /** Counts a large body that comes in. */
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
