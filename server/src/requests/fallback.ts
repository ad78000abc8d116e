import { type NanoUsd, sum, toUsd } from '../database/money.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import type { Attempt } from './attempt.ts';
import type { Effective } from './effective.ts';
import type { OcrRequest } from './ocr-request.ts';
import type { OpenDocument } from './read-pages.ts';
import type { Run } from './read-request.ts';
import type { FallbackAttempt } from './result-metadata.type.ts';
import { sentences } from './sentences.ts';
import { settledFromRun } from './settled-from.ts';
import type { Settled } from './settlement.ts';

/** What automatic retry needs to know of a request whose requested engine has been run. */
export interface RetryJob {
  readonly request: OcrRequest;
  readonly engine: Engine;
  readonly first: Run;
  readonly alternative: Engine | null;
  /** The most that the request may cost, see `chargeLimit`. */
  readonly limit: NanoUsd;
  /** Reads the whole request again. */
  read(engine: Engine, effective: Effective): Promise<Run>;
}

/** The engine that automatic retry uses for a document, or would have used. */
export function comparableFor(
  engine: Engine,
  context: {
    catalogue: Catalogue;
    effective: Effective;
    document: OpenDocument;
    pages: number;
    isUsable: (engine: Engine) => boolean;
  },
): Engine | null {
  const { catalogue, effective, document, pages, isUsable } = context;
  return catalogue.comparable(engine, {
    format: document.inspection.format,
    pages,
    usable: (other) =>
      isUsable(other) &&
      other.accepts.includes(effective.inputType) &&
      (effective.pageRange === null || other.pageRange),
  });
}

/** Whether a run is one that automatic retry is for: no text, or not all of it, for a reason that another engine lacks. */
export function wantsRetry(effective: Effective, run: Run, signal: AbortSignal): boolean {
  const { kind, retryable } = run.conclusion;
  return effective.fallback === 'similar' && retryable && kind !== 'succeeded' && !signal.aborted;
}

/** What the request would have cost, had its engine read it all: a retried one never costs more. */
export function chargeLimit(engine: Engine, { conclusion }: Run): NanoUsd {
  if (!engine.tokenPrices) return conclusion.fullPrice;
  const spent = costOf(conclusion.unsold()); // the estimate is not a cap
  return spent > conclusion.fullPrice ? spent : conclusion.fullPrice;
}

/** Runs the request once more on the comparable engine and says how it ended. */
export async function settledFromRetry(job: RetryJob): Promise<Settled> {
  const { request, engine, first, alternative, read } = job;
  if (!alternative)
    return unread(settledFromRun(request, first, null), 'No comparable engine qualified for `fallback`.');
  // native_settings speak the requested engine's own language.
  const second = await read(alternative, { ...request.effective, native: {} }).catch(asRefusal);
  if (second instanceof AppError) {
    const failed = `The automatic retry on ${alternative.id} failed: ${second.message}`;
    return unread(settledFromRun(request, first, null), failed);
  }
  const { kind } = second.conclusion;
  const isBetter = kind === 'succeeded' || (kind === 'partial' && first.conclusion.kind !== 'partial');
  return isBetter ? readBySecond(job, alternative, second) : readByNeither({ ...job, engine }, alternative, second);
}

function readBySecond({ request, engine, first, limit }: RetryJob, used: Engine, second: Run): Settled {
  const settled = settledFromRun(request, second, null);
  const refused = least(costOf(first.conclusion.unsold()), limit);
  const charge = least(refused + settled.charge, limit);
  const reason = first.conclusion.message ?? 'The engine did not read the document.';
  const note = `${engine.id} did not read the document; ${used.id} produced the text.`;
  const attempts = inOrder(first.conclusion.unsold(), second.conclusion.attempts);
  const unsent = Object.keys(request.effective.native).length > 0;
  return {
    ...settled,
    engine: used.id,
    charge,
    warning: settled.warning === null ? note : `${note} ${settled.warning}`,
    warnings: unsent
      ? [...settled.warnings, `native_settings are ${engine.id}’s and were not sent to ${used.id}.`]
      : settled.warnings,
    attempts,
    metadata: {
      ...settled.metadata,
      fallback: {
        requestedEngine: engine.id,
        usedEngine: used.id,
        reason,
        attempts: [
          record(engine, first.conclusion.unsold(), refused),
          record(used, second.conclusion.attempts, charge - refused),
        ],
      },
    },
  };
}

/** The first run stands: what it read of the document, or nothing. */
function readByNeither({ request, first, limit }: RetryJob, tried: Engine, second: Run): Settled {
  const settled = settledFromRun(request, first, null);
  const failed = `The automatic retry on ${tried.id} failed as well: ${second.conclusion.message ?? 'it did not read the document.'}`;
  const charge = least(settled.charge + costOf(second.conclusion.unsold()), limit);
  return {
    ...unread({ ...settled, charge, attempts: inOrder(first.conclusion.attempts, second.conclusion.unsold()) }, failed),
    warning: settled.status === 'partial' ? settled.warning : chargedNote(charge),
  };
}

/** With `fallback`, what is not read is refunded and bound, whichever way it failed; a part that was read stays. */
function unread(settled: Settled, why: string): Settled {
  const providerError = sentences([settled.providerError ?? '', why]);
  if (settled.status === 'partial') return { ...settled, providerError };
  return { ...settled, status: 'failed', outcome: 'refunded', errorCode: null, providerError };
}

function chargedNote(charge: NanoUsd): string | null {
  if (charge === 0n) return null;
  return `The providers’ cost of the attempts, ${toUsd(charge)} USD, was charged, not the full price.`;
}

function record(engine: Engine, attempts: readonly Attempt[], cost: NanoUsd): FallbackAttempt {
  const own = attempts.find((attempt) => attempt.engine === engine.id) ?? attempts[0];
  const worst = attempts.find(({ outcome }) => outcome !== 'ok') ?? own;
  return {
    engine: engine.id,
    outcome: worst?.outcome ?? 'failed',
    providerLatencyMs: own?.providerLatencyMs ?? null,
    costUsd: toUsd(cost),
  };
}

function inOrder(first: readonly Attempt[], second: readonly Attempt[]): Attempt[] {
  return [...first, ...second].map((attempt, i) => Object.assign(attempt, { number: i + 1 }));
}

function costOf(attempts: readonly Attempt[]): NanoUsd {
  return sum(attempts.map(({ cost }) => cost));
}

function least(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a < b ? a : b;
}

/** The caller's document on the other engine: its refusal is an answer, everything else is not ours to judge. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}
