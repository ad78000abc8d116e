import { OcrError, type OcrResult, type ReadOptions } from '@ocr-router/client';

/** The lowest `max_cost_usd` that the gateway takes. */
const LEAST_USD = 1e-9;

/** A call that may cost money. */
export interface PaidCall {
  /** The most that the call can cost, in USD, where `leftUsd` is left of the session's limit. Asking is free. */
  worst(leftUsd: number): Promise<number>;
  /**
   * Makes the call, which costs no more than `capUsd`. Reports that the gateway has accepted it, or that it replays an earlier
   * one.
   */
  run(capUsd: number, says: Pick<ReadOptions, 'onRequest' | 'onReplay'>): Promise<OcrResult>;
}

/** The money that a session may spend. Paid calls run one at a time: what is left for the next is known once one has ended. */
export class Allowance {
  readonly #mostUsd: number;
  #spentUsd = 0;
  #hasUnknown = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(mostUsd: number) {
    this.#mostUsd = mostUsd;
  }

  spend(call: PaidCall, signal: AbortSignal): Promise<OcrResult> {
    const result = this.#last.then(() => {
      signal.throwIfAborted(); // while it waited for its turn
      return this.#run(call);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run({ worst, run }: PaidCall): Promise<OcrResult> {
    const left = this.#left();
    const cap = Math.max(LEAST_USD, Math.min(left, await worst(left)));
    let [isAccepted, isReplay] = [false, false];
    const onRequest = () => {
      isAccepted = true;
    };
    const onReplay = () => {
      isReplay = true;
    };
    try {
      const result = await run(cap, { onRequest, onReplay });
      if (!isReplay) this.#spentUsd += result.cost_debited;
      return result;
    } catch (error) {
      if (isAccepted || !isRefusal(error)) {
        this.#spentUsd += cap;
        this.#hasUnknown = true;
      }
      throw error;
    }
  }

  #left(): number {
    const left = rounded(this.#mostUsd - this.#spentUsd);
    if (left > 0) return left;
    const has = this.#hasUnknown ? 'may have' : 'has';
    throw new Error(
      `This session ${has} cost ${rounded(this.#spentUsd)} USD, and its limit is ${rounded(this.#mostUsd)} USD.`,
    );
  }
}

/**
 * Whether the gateway itself has refused the call, so that nothing is charged. A 5xx whose code is `connection` comes from a
 * proxy, which cannot know.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof OcrError)) return false;
  return error.status >= 500 ? error.code !== 'connection' : error.status >= 400;
}

/** Rounds to the nano-dollar: sums of decimals are not exact. */
function rounded(usd: number): number {
  return Number(usd.toFixed(9));
}
