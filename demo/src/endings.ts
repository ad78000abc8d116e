import { type DemoEngine, TIMEOUT_MS } from './cast.ts';
import type { Dice } from './dice.ts';

/** How a request of the demo ended, and what it cost, by the rules of the product. */
export interface Ending {
  readonly status: 'succeeded' | 'partial' | 'failed' | 'rejected';
  readonly outcome: 'succeeded' | 'partial' | 'refunded' | 'timeout';
  readonly errorCode: 'provider_error' | 'unprocessable_entity' | null;
  readonly attempt: 'ok' | 'truncated' | 'refused' | 'failed' | 'timeout' | 'unreadable';
  readonly billing: 'none' | 'settled' | 'pending';
  readonly message: string | null;
  /** Pages processed and billed; 0 on failure. */
  readonly pages: number;
  /** Nano-USD that the caller pays, and whether it is a price or a provider's cost. */
  readonly cost: number;
  readonly costKind: 'charge' | 'provider_cost';
  readonly latencyMs: number | null;
  readonly confidence: number | null;
}

const FREE = { errorCode: null, billing: 'none', message: null, pages: 0, cost: 0, confidence: null } as const;

export function endingOf(
  engine: DemoEngine,
  { pages, isDown, dice }: { pages: number; isDown: boolean; dice: Dice },
): Ending {
  const latencyMs = Math.max(4, Math.round(dice.skewed(engine.medianMs, engine.spread) * (0.6 + 0.4 * pages)));
  if (isDown || dice.happens(engine.faults)) return fault(engine, latencyMs, dice);
  if (dice.happens(0.008)) return unreadable(latencyMs);
  if (dice.happens(engine.refusals)) return billedFailure(engine, pages, latencyMs);
  if (dice.happens(engine.truncations)) return truncated(engine, pages, latencyMs);
  const confidence = engine.readsConfidence ? Math.round(10_000 * (0.86 + 0.135 * dice.next())) / 10_000 : null;
  const cost = engine.pricePerPage * pages;
  return {
    ...{ ...FREE, status: 'succeeded', outcome: 'succeeded', attempt: 'ok', costKind: 'charge' },
    ...{ pages, cost, latencyMs, confidence },
  };
}

/** The provider did not answer, or not in time; whether a hosted one bills what was broken off is not known. */
function fault(engine: DemoEngine, latencyMs: number, dice: Dice): Ending {
  const failed = { ...FREE, status: 'failed', costKind: 'provider_cost' } as const;
  if (!dice.happens(0.12)) {
    const message = 'The provider answered 503. Nothing was charged.';
    const quick = Math.round(latencyMs / 4);
    return {
      ...{ ...failed, outcome: 'refunded', errorCode: 'provider_error', attempt: 'failed' },
      ...{ message, latencyMs: quick },
    };
  }
  const message = 'The engine did not answer in time; its work was stopped.';
  const billing = engine.entry ? 'pending' : 'none';
  return { ...failed, outcome: 'timeout', attempt: 'timeout', billing, message, latencyMs: TIMEOUT_MS };
}

function unreadable(latencyMs: number): Ending {
  const message = 'The document is damaged: it has no readable page.';
  return {
    ...{ ...FREE, status: 'rejected', outcome: 'refunded', errorCode: 'unprocessable_entity', attempt: 'unreadable' },
    ...{ costKind: 'charge', message, latencyMs: Math.round(latencyMs / 10) },
  };
}

function billedFailure(engine: DemoEngine, pages: number, latencyMs: number): Ending {
  const cost = engine.providerCost * pages;
  return {
    ...{ ...FREE, status: 'failed', outcome: 'refunded', attempt: 'refused', billing: 'settled' },
    ...{ costKind: 'provider_cost', message: 'The engine refused to transcribe the page.', cost, latencyMs },
  };
}

function truncated(engine: DemoEngine, pages: number, latencyMs: number): Ending {
  const cost = engine.providerCost * pages;
  return {
    ...{ ...FREE, status: 'partial', outcome: 'partial', attempt: 'truncated', billing: 'settled' },
    ...{ costKind: 'provider_cost', message: 'The output reached its limit before the end of the page.' },
    ...{ pages, cost, latencyMs },
  };
}
