import { retriedCharge, retryLimit } from '../../billing/charge.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CancelledError } from '../../engines/model/stop-reasons.ts';
import { CANCELLED } from '../../engines/unanswered.ts';
import { type AppError, asAppError } from '../../platform/errors.ts';
import { type NanoUsd, sum, toUsd } from '../../platform/money.ts';
import { RunError } from '../judge/run-error.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Effective } from '../model/effective.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { FallbackAttempt } from '../model/result-metadata.type.ts';
import { sentences } from '../model/sentences.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import type { Run } from './read-request.ts';
import { atOurExpense, chargedNote, settlementFromRun } from './settlement-from.ts';

/** A request whose requested engine has been run, and what automatic retry needs to run it on another one. */
export interface RetryTask {
  readonly request: OcrRequest;
  readonly engine: Engine;
  readonly first: Run;
  readonly alternative: Engine | null;
  /** The most that the request may cost, see `chargeLimit`. */
  readonly limit: NanoUsd;
  /** Reads the whole request again. Throws a `RunError`. */
  read(engine: Engine, effective: Effective): Promise<Run>;
  /** Whether an error of the second run means that this process must leave the request unsettled: a lost lease, a shutdown. */
  isLeft(reason: unknown): boolean;
  /** Called with an internal error of the second run, for the log. */
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

/**
 * Whether automatic retry applies: the caller asked for it, and the run lacks text for a reason that another engine may not
 * have.
 */
export function wantsRetry(effective: Effective, run: Run, signal: AbortSignal): boolean {
  const { kind, retryable } = run.conclusion;
  return effective.fallback === 'similar' && retryable && kind !== 'succeeded' && !signal.aborted;
}

/** The most that a retried request costs: what it would have cost, had its requested engine read it all. */
export function chargeLimit(engine: Engine, { conclusion }: Run): NanoUsd {
  return retryLimit(engine, { fullPrice: conclusion.fullPrice, spent: costOf(conclusion.unsold()) });
}

/** Runs the request once more on the comparable engine, and settles by the better of the two runs. */
export async function settlementFromRetry(task: RetryTask): Promise<Settlement> {
  const { request, engine, first, alternative, read } = task;
  if (!alternative)
    return withRetryFailure(settlementFromRun(request, first, null), 'No comparable engine qualified for `fallback`.');
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

function readBySecond({ request, engine, first, limit }: RetryTask, used: Engine, second: Run): Settlement {
  const settlement = settlementFromRun(request, second, null);
  const refused = retriedCharge(costOf(first.conclusion.unsold()), 0n, limit);
  const charge = retriedCharge(refused, settlement.charge, limit);
  const reason = first.conclusion.message ?? 'The engine did not read the document.';
  const note = `${engine.id} did not read the document; ${used.id} produced the text.`;
  const attempts = inOrder(first.conclusion.unsold(), second.conclusion.attempts);
  const unsent = Object.keys(request.effective.native).length > 0;
  return {
    ...settlement,
    engine: used.id,
    charge,
    warning: settlement.warning === null ? note : `${note} ${settlement.warning}`,
    warnings: unsent
      ? [...settlement.warnings, `native_settings are ${engine.id}’s and were not sent to ${used.id}.`]
      : settlement.warnings,
    attempts,
    metadata: {
      ...settlement.metadata,
      fallback: {
        requestedEngine: engine.id,
        usedEngine: used.id,
        reason,
        attempts: [
          fallbackAttempt(engine, first.conclusion.unsold(), refused),
          fallbackAttempt(used, second.conclusion.attempts, charge - refused),
        ],
      },
    },
  };
}

function readByNeither(task: RetryTask, tried: Engine, { conclusion }: Run): Settlement {
  const failed = `The automatic retry on ${tried.id} failed as well: ${conclusion.message ?? 'it did not read the document.'}`;
  const { cancelled } = conclusion;
  return firstStands(task, { attempts: conclusion.unsold(), cost: costOf(conclusion.unsold()), cancelled }, failed);
}

/** Settles by the first run, whatever it read. The cost of the second run is added. */
function firstStands(
  { request, first, limit }: RetryTask,
  second: Omit<FailedRun, 'error'>,
  failed: string,
): Settlement {
  const settlement = settlementFromRun(request, first, null);
  const charge = retriedCharge(settlement.charge, second.cost, limit);
  return {
    ...withRetryFailure(
      { ...settlement, charge, attempts: inOrder(first.conclusion.attempts, second.attempts) },
      failed,
    ),
    cancelled: second.cancelled,
    warning: settlement.status === 'partial' ? settlement.warning : chargedNote(charge, { retried: true }),
  };
}

/**
 * Adds why the retry did not help. A request that was not read ends as `refunded` without an error code, so that its key stays
 * bound; a partial result stays as it is.
 */
function withRetryFailure(settlement: Settlement, why: string): Settlement {
  const providerError = sentences([settlement.providerError ?? '', why]);
  if (settlement.status === 'partial') return { ...settlement, providerError };
  return { ...settlement, status: 'failed', outcome: 'refunded', errorCode: null, providerError };
}

function fallbackAttempt(engine: Engine, attempts: readonly Attempt[], cost: NanoUsd): FallbackAttempt {
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

/**
 * Why a second run that threw has failed, and what it costs the caller: nothing after a failure of ours. Rethrows what
 * `isLeft`.
 */
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
  /** What the caller pays for the attempts. */
  readonly cost: NanoUsd;
  readonly cancelled: boolean;
}
