import type { NanoUsd } from '../../platform/money.ts';
import type { PagePart } from './include.ts';
import type { Mode, OutputFormat } from './request-enums.ts';

type ScannedHandling = 'skip' | 'fallback' | 'error';

/**
 * The effective request: the body with defaults applied and synonyms resolved. Stored with the request, without the
 * document's bytes.
 */
export interface Effective {
  readonly engine: string;
  readonly inputType: 'url' | 'base64';
  readonly url: string | null;
  readonly mimeType: string | null;
  readonly language: string | null;
  readonly languageHints: readonly string[] | null;
  readonly dpi: number | null;
  readonly detectTables: boolean;
  readonly pageRange: string | null;
  /** As the caller gave it; null for the default. */
  readonly pageCount: number | null;
  readonly native: Readonly<Record<string, unknown>>;
  readonly fallbackEngine: string | null;
  readonly scannedHandling: ScannedHandling;
  /** Whether the caller gave `scanned_handling`: an engine that ignores it then says so in a warning. */
  readonly scannedHandlingGiven: boolean;
  readonly fallback: 'off' | 'similar';
  readonly mode: Mode;
  readonly webhookUrl: string | null;
  readonly outputFormat: OutputFormat;
  /** What the result carries beside its text; absent for nothing. */
  readonly include?: readonly PagePart[];
  /** `max_cost_usd`, in nano-USD as text (JSON has no 64-bit integers); absent without one. */
  readonly maxCost?: string;
  /** Absent for `auto`. */
  readonly preprocess?: 'off';
  /** False where the caller wants nothing to be kept; absent otherwise. */
  readonly store?: false;
}

/** `max_cost_usd` of a request in nano-USD; null without one. */
export function maxCostOf({ maxCost }: Pick<Effective, 'maxCost'>): NanoUsd | null {
  return maxCost === undefined ? null : BigInt(maxCost);
}
