import type { Usage } from './provider-process.ts';

/** What the provider does with a page. */
export const OUTCOMES = ['ok', 'slow', 'refusal', 'error', 'timeout'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A page as the provider recognises it: its number, unique in a run, and what is to become of it. */
export interface Marker {
  readonly serial: number;
  readonly outcome: Outcome;
}

export const NANO_USD = 1_000_000_000;
/** What the provider reads on a page, before its number. */
export const TEXT = 'text of page ';

const HEIGHTS = 400;
const LEAST = 40;

/** A page's size in pixels tells both: it survives every normalisation and every rendering at 72 dpi. */
export function sizeOf({ serial, outcome }: Marker): { width: number; height: number } {
  const width = LEAST + OUTCOMES.length * Math.floor(serial / HEIGHTS) + OUTCOMES.indexOf(outcome);
  return { width, height: LEAST + (serial % HEIGHTS) };
}

export function markerOf({ width, height }: { width: number; height: number }): Marker {
  const outcome = OUTCOMES[(width - LEAST) % OUTCOMES.length];
  if (outcome === undefined) throw new Error(`a page of ${width} × ${height} pixels is none of this run's`);
  return { serial: Math.floor((width - LEAST) / OUTCOMES.length) * HEIGHTS + height - LEAST, outcome };
}

/** `flat` has a price a page; `metered` is sold by tokens, of which each page takes its own number. */
export type EngineName = 'flat' | 'metered';

export const PRICES = {
  perPageUsd: 0.01,
  providerPerPageUsd: 0.004,
  inputPerMillionUsd: 1,
  outputPerMillionUsd: 2,
} as const;

export function usageOf({ serial }: Marker): Usage {
  return { prompt_tokens: 1000 + serial, completion_tokens: 500 };
}

/**
 * The billing rule of the contract for one call, in nano-USD: pages that were read at the engine's price, refusals and
 * timeouts at what the provider takes, errors of the provider nothing.
 */
export function chargeOf(engine: EngineName, marker: Marker): number {
  const { outcome } = marker;
  if (outcome === 'error') return 0;
  if (outcome === 'timeout') return PRICES.providerPerPageUsd * NANO_USD;
  if (engine === 'flat') return (outcome === 'refusal' ? PRICES.providerPerPageUsd : PRICES.perPageUsd) * NANO_USD;
  const { prompt_tokens, completion_tokens } = usageOf(marker);
  return prompt_tokens * PRICES.inputPerMillionUsd * 1000 + completion_tokens * PRICES.outputPerMillionUsd * 1000;
}
