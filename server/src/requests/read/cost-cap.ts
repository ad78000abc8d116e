import { successCost, worstPage } from '../../billing/charge.ts';
import type { Engine, Reading } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { type NanoUsd, toUsd } from '../../platform/money.ts';

/**
 * Keeps a request within its `max_cost_usd`: a page may begin if its worst cost fits into what is left after the cost of finished
 * pages and the worst cost of pages at work.
 */
export class CostCap {
  readonly #cap: NanoUsd;
  #taken = 0n;
  #running = 0;
  #change = Promise.withResolvers<void>();

  constructor(cap: NanoUsd) {
    this.#cap = cap;
  }

  /**
   * Takes the worst cost of a page until `ended`; false where it does not fit. Waits while pages at work may still turn out
   * cheaper. Rejects with the signal's reason when that aborts.
   */
  async begin(engine: Engine, signal: AbortSignal): Promise<boolean> {
    const worst = worstOf(engine);
    for (;;) {
      signal.throwIfAborted();
      if (this.#taken + worst <= this.#cap) break;
      if (this.#running === 0) return false;
      await this.#changed(signal);
    }
    this.#taken += worst;
    this.#running++;
    return true;
  }

  /** Replaces the worst cost of a page by its actual one: 0 where no call was made (null), the worst cost where it is unknown. */
  ended(engine: Engine, reading: Reading | null): void {
    this.#taken += (reading ? costOf(engine, reading) : 0n) - worstOf(engine);
    this.#running--;
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Counts a page that was read in an earlier run. */
  spent(engine: Engine, reading: Reading): void {
    this.#taken += costOf(engine, reading);
  }

  /** The reading of a page that was not begun. */
  refusal(): Reading {
    const message = `The page might have cost more than was left of max_cost_usd (${toUsd(this.#cap)} USD); it was not begun.`;
    return unread({
      ending: { kind: 'failed', message, temporary: false, httpStatus: null, called: false, overCap: true },
      billed: 'no',
    });
  }

  async #changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = this.#change;
    const wake = () => resolve(); // those who wait look at their signals again
    signal.addEventListener('abort', wake, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', wake));
  }
}

/** Every engine here has a known worst cost: others are refused with a limit, and not used for automatic retry. */
function worstOf(engine: Engine): NanoUsd {
  return worstPage(engine) ?? engine.pricePerPage;
}

function costOf(engine: Engine, reading: Reading): NanoUsd {
  if (reading.billed === 'no' && reading.ending.kind !== 'ok') return 0n;
  return successCost(engine, [reading], 1) ?? worstOf(engine);
}
