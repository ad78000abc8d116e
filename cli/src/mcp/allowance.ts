import { OcrError, type OcrResult, type ReadOptions } from '@ocr-router/client';

/** The least that `max_cost_usd` may say. */
const LEAST_USD = 1e-9;

/** A call that may cost money, in two steps: what it may cost when that much is left, which is free, and the call itself. */
export interface PaidCall {
  worst(leftUsd: number): Promise<number>;
  /** Costs no more than its cap, and says that the gateway has begun it, or had done so for an earlier call. */
  run(capUsd: number, says: Pick<ReadOptions, 'onRequest' | 'onReplay'>): Promise<OcrResult>;
}

/** What a session may still cost. One paid call runs at a time: what the next one may cost is known when it has ended. */
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

/** The gateway said that nothing is charged. An answer of 5xx that is not in its words is a proxy's, who does not know. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof OcrError)) return false;
  return error.status >= 500 ? error.code !== 'connection' : error.status >= 400;
}

/** To the nano-dollar: sums of decimals are not exact. */
function rounded(usd: number): number {
  return Number(usd.toFixed(9));
}
