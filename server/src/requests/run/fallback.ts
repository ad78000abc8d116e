import { retriedCharge, retryLimit } from '../../billing/charge.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError } from '../../engines/model/stop-reasons.ts';
import { type AppError, asAppError } from '../../platform/errors.ts';
import { type NanoUsd, sum, toUsd } from '../../platform/money.ts';
import { CANCELLED } from '../judge/conclude.ts';
import { RunError } from '../judge/run-error.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Effective } from '../model/effective.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { FallbackAttempt } from '../model/result-metadata.type.ts';
import { sentences } from '../model/sentences.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { Settled } from '../store/settle.ts';
import type { Run } from './read-request.ts';
import { atOurExpense, settledFromRun } from './settled-from.ts';

/** What automatic retry needs to know of a request whose requested engine has been run. */
export interface RetryTask {
  readonly request: OcrRequest;
  readonly engine: Engine;
  readonly first: Run;
  readonly alternative: Engine | null;
  /** The most that the request may cost, see `chargeLimit`. */
  readonly limit: NanoUsd;
  /** Reads the whole request again. Throws a `RunError`. */
  read(engine: Engine, effective: Effective): Promise<Run>;
  /** What the second run may throw that ends this process's work on the request, whatever the first one came to. */
  isLeft(reason: unknown): boolean;
  /** Called with a failure of ours. */
  onFailure(error: AppError): void;
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
    priced: (engine: Engine) => Engine;
  },
): Engine | null {
  const { catalogue, effective, document, pages, isUsable, priced } = context;
  return catalogue.comparable(engine, {
    format: document.inspection.format,
    pages,
    priced,
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
  return retryLimit(engine, { fullPrice: conclusion.fullPrice, spent: costOf(conclusion.unsold()) });
}

/** Runs the request once more on the comparable engine and says how it ended. */
export async function settledFromRetry(task: RetryTask): Promise<Settled> {
  const { request, engine, first, alternative, read } = task;
  if (!alternative)
    return unread(settledFromRun(request, first, null), 'No comparable engine qualified for `fallback`.');
  // native_settings speak the requested engine's own language.
  const second = await read(alternative, { ...request.effective, native: {} }).catch((error) => failedRun(task, error));
  if ('error' in second) {
    const failed = `The automatic retry on ${alternative.id} failed: ${second.error}`;
    return firstStands(task, second, failed);
  }
  const { kind } = second.conclusion;
  const isBetter = kind === 'succeeded' || (kind === 'partial' && first.conclusion.kind !== 'partial');
  return isBetter ? readBySecond(task, alternative, second) : readByNeither({ ...task, engine }, alternative, second);
}

function readBySecond({ request, engine, first, limit }: RetryTask, used: Engine, second: Run): Settled {
  const settled = settledFromRun(request, second, null);
  const refused = retriedCharge(costOf(first.conclusion.unsold()), 0n, limit);
  const charge = retriedCharge(refused, settled.charge, limit);
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

function readByNeither(task: RetryTask, tried: Engine, { conclusion }: Run): Settled {
  const failed = `The automatic retry on ${tried.id} failed as well: ${conclusion.message ?? 'it did not read the document.'}`;
  const { cancelled } = conclusion;
  return firstStands(task, { attempts: conclusion.unsold(), cost: costOf(conclusion.unsold()), cancelled }, failed);
}

/** The first run stands: what it read of the document, or nothing. What the second one cost is added to it. */
function firstStands({ request, first, limit }: RetryTask, second: Omit<FailedRun, 'error'>, failed: string): Settled {
  const settled = settledFromRun(request, first, null);
  const charge = retriedCharge(settled.charge, second.cost, limit);
  return {
    ...unread({ ...settled, charge, attempts: inOrder(first.conclusion.attempts, second.attempts) }, failed),
    cancelled: second.cancelled,
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

/** A second run that threw: the first one stands, and a failure of ours in the second is at our expense. */
function failedRun({ isLeft, onFailure }: RetryTask, thrown: unknown): FailedRun {
  const { reason, attempts } = RunError.from(thrown);
  if (isLeft(reason)) throw reason;
  if (reason instanceof CancelledError) return { error: CANCELLED, attempts, cost: costOf(attempts), cancelled: true };
  const error = asAppError(reason);
  if (error.code !== 'internal_error') {
    return { error: error.message, attempts, cost: costOf(attempts), cancelled: false };
  }
  onFailure(error);
  return {
    error: 'something went wrong on our side.',
    attempts: attempts.map(atOurExpense),
    cost: 0n,
    cancelled: false,
  };
}

interface FailedRun {
  readonly error: string;
  readonly attempts: readonly Attempt[];
  /** What of them the caller pays. */
  readonly cost: NanoUsd;
  readonly cancelled: boolean;
}
