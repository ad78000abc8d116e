import { successCost, worstPage } from '../../billing/charge.ts';
import type { Engine, Reading } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { type NanoUsd, toUsd } from '../../platform/money.ts';

/**
 * Which pages of a request may still be begun under its `max_cost_usd`: those whose worst cost fits into what neither
 * finished pages have cost nor pages at work may cost.
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
   * Whether a page may be begun; what it may cost is taken until `ended`. Waits while pages at work may turn out cheaper;
   * rejects with the signal's reason.
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

  /** What was not needed is free again: all of it where no call was made (null), nothing where its cost is not known. */
  ended(engine: Engine, reading: Reading | null): void {
    this.#taken += (reading ? costOf(engine, reading) : 0n) - worstOf(engine);
    this.#running--;
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Pages that were read in an earlier run. */
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

/** An engine whose worst cost nobody knows is not accepted with a limit, and never an automatic retry's. */
function worstOf(engine: Engine): NanoUsd {
  return worstPage(engine) ?? engine.pricePerPage;
}

function costOf(engine: Engine, reading: Reading): NanoUsd {
  if (reading.billed === 'no' && reading.ending.kind !== 'ok') return 0n;
  return successCost(engine, [reading], 1) ?? worstOf(engine);
}
