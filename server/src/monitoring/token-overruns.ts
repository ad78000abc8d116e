import { bothOverruns, type TokenOverrun } from '../billing/charge.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Attempt } from '../requests/model/attempt.ts';

/** How often the log tells it of an engine. */
const TELL_AGAIN_MS = 3_600_000;

interface Untold {
  readonly toldAt: number;
  /** What came since; null where nothing did. */
  readonly overrun: TokenOverrun | null;
}

/** Tells operators in the log of engines whose pages take more tokens than their entries say: the worst cost that callers are told is too low. */
export class TokenOverruns {
  readonly #log: Log;
  readonly #now: () => number;
  /** By engine: those of the configuration at most. */
  readonly #engines = new Map<string, Untold>();

  constructor(log: Log, { now = Date.now }: { now?: () => number } = {}) {
    this.#log = log;
    this.#now = now;
  }

  note(attempts: readonly Pick<Attempt, 'engine' | 'overrun'>[]): void {
    for (const { engine, overrun } of attempts) if (overrun) this.#note(engine, overrun);
  }

  #note(engine: string, overrun: TokenOverrun): void {
    const known = this.#engines.get(engine);
    const since = known?.overrun ? bothOverruns(known.overrun, overrun) : overrun;
    const now = this.#now();
    if (known && now - known.toldAt < TELL_AGAIN_MS) {
      this.#engines.set(engine, { toldAt: known.toldAt, overrun: since });
      return;
    }
    this.#engines.set(engine, { toldAt: now, overrun: null });
    const { calls, page, most } = since;
    this.#log.warn(
      {
        ...{ engine, calls, inputTokens: page.input, outputTokens: page.output },
        ...{ mostInputTokens: most.input, mostOutputTokens: most.output },
      },
      'pages take more tokens than max_input_tokens_per_page and max_output_tokens_per_page of their engine say: requests can cost more than their worst_case_usd',
    );
  }
}
