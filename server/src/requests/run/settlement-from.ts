import { UNREPORTED_FAILURE, UNREPORTED_READING } from '../../billing/pending-words.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { CANCELLED } from '../../engines/unanswered.ts';
import { AppError } from '../../platform/errors.ts';
import { type NanoUsd, sum, toUsd } from '../../platform/money.ts';
import type { Conclusion } from '../judge/conclude.ts';
import { Attempt } from '../model/attempt.ts';
import { boundedWarnings } from '../model/bounded-warnings.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { partialNote } from '../model/preview.ts';
import type { ResultMetadata } from '../model/result-metadata.type.ts';
import { sentences } from '../model/sentences.ts';
import { isRead } from '../model/states.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import type { Run } from './read-request.ts';

/** The settlement of a request whose engine was run. `alternative` is the engine that automatic retry would have used. */
export function settlementFromRun(request: OcrRequest, run: Run, alternative: Engine | null): Settlement {
  const { conclusion } = run;
  const end = ENDS[conclusion.kind];
  return {
    ...end,
    cancelled: conclusion.cancelled,
    providerError: conclusion.message === null ? null : failureText(conclusion, request, alternative),
    engine: request.requestedEngine,
    charge: conclusion.charge,
    chargeKind: conclusion.chargeKind,
    pages: conclusion.pages,
    pagesTotal: knownTotal(request, run),
    warnings: boundedWarnings([...pendingNote(conclusion), ...request.notes, ...run.warnings, ...conclusion.warnings]),
    warning: noteOf(conclusion),
    ...(conclusion.kind === 'partial' && { warningWithoutText: partialNote(conclusion.message, 'nothing') }),
    metadata: metadataOf(conclusion),
    appliedSettings: run.applied,
    text: conclusion.text,
    preview: conclusion.preview,
    confidence: conclusion.confidence,
    providerLatencyMs: conclusion.latencyMs,
    pageRows: conclusion.pageRows,
    attempts: conclusion.attempts,
    webhookUrl: request.effective.webhookUrl,
  };
}

/**
 * The settlement of a request that ends by an error instead of an engine's answer: an unusable document, or a failure of
 * ours. Attempts made by then are charged at the provider's cost; after a failure of ours nothing is charged.
 */
export function settlementFromError(request: OcrRequest, error: AppError, made: readonly Attempt[] = []): Settlement {
  const attempts = error.code === 'internal_error' ? made.map(atOurExpense) : made;
  const charge = error.code === 'internal_error' ? 0n : sum(attempts.map(({ cost }) => cost));
  const pending = isPending(attempts);
  // An engine ran, and somebody pays for it: that is an outcome of its own, and neither an error nor a rejection.
  const isBilled = charge > 0n || pending;
  return {
    status: error.status < 500 && !isBilled ? 'rejected' : 'failed',
    outcome: 'refunded',
    errorCode: isBilled ? null : error.code,
    cancelled: false,
    providerError: pending ? sentences([error.message, UNREPORTED_FAILURE.pending]) : error.message,
    engine: request.requestedEngine,
    charge,
    chargeKind: charge > 0n ? 'provider_cost' : 'charge',
    pages: 0,
    pagesTotal: request.pagesTotal,
    warnings: request.notes,
    warning: chargedNote(charge),
    metadata: null,
    appliedSettings: null,
    text: '',
    preview: null,
    confidence: null,
    providerLatencyMs: null,
    pageRows: [],
    attempts,
    webhookUrl: request.effective.webhookUrl,
  };
}

/** The settlement of a synchronous request whose time was over before its document was open. */
export function settlementFromTimeout(request: OcrRequest): Settlement {
  const error = new AppError(
    'engine_unavailable',
    'The time of the request was over before its document had been read.',
  );
  return { ...settlementFromError(request, error), status: 'failed', outcome: 'timeout', errorCode: null };
}

/**
 * The settlement of a request that was cancelled before its first page was read, whether it was queued or at work. Its key
 * stays bound, and its caller gets the outcome.
 */
export function settlementFromCancel(
  request: OcrRequest,
  from: 'queued' | 'processing',
  made: readonly Attempt[] = [],
): Settlement {
  const settlement = settlementFromError(request, new AppError('provider_error', CANCELLED), made);
  const status = from === 'queued' ? 'rejected' : 'failed';
  return { ...settlement, status, outcome: 'refunded', errorCode: null, cancelled: true };
}

/** An attempt that a failure of ours made useless: its cost stays recorded, but no late bill is charged to the caller. */
export function atOurExpense(attempt: Attempt): Attempt {
  const billing = attempt.billing === 'pending' ? 'none' : attempt.billing;
  const message = sentences([attempt.message ?? '', 'The gateway failed: the caller was not charged.']);
  return Object.assign(new Attempt(), attempt, { billing, message });
}

const ENDS = {
  succeeded: { status: 'succeeded', outcome: 'succeeded', errorCode: null },
  partial: { status: 'partial', outcome: 'partial', errorCode: null },
  refused: { status: 'failed', outcome: 'refunded', errorCode: null },
  timeout: { status: 'failed', outcome: 'timeout', errorCode: null },
  unreadable: { status: 'rejected', outcome: 'refunded', errorCode: 'unprocessable_entity' },
  failed: { status: 'failed', outcome: 'refunded', errorCode: 'provider_error' },
  cancelled: { status: 'failed', outcome: 'refunded', errorCode: null },
  unavailable: { status: 'failed', outcome: 'refunded', errorCode: 'engine_unavailable' },
} as const;

function failureText(conclusion: Conclusion, request: OcrRequest, alternative: Engine | null): string {
  const parts = [conclusion.message ?? 'The engine did not read the document.'];
  if (isPending(conclusion.attempts)) parts.push(UNREPORTED_FAILURE.pending);
  if (conclusion.kind === 'refused') {
    parts.push('Resending it to the same engine is likely to give the same result.');
    if (request.effective.fallback === 'off') {
      parts.push(
        alternative
          ? `With \`fallback\` = \`similar\`, ${alternative.id} would have been used.`
          : 'No comparable engine would have been available for `fallback`.',
      );
    }
  }
  return sentences(parts);
}

/** The warning of a result whose cost is not known yet. A failed request says it in `provider_error` instead. */
function pendingNote({ kind, attempts }: Conclusion): string[] {
  return isRead(kind) && isPending(attempts) ? [UNREPORTED_READING.pending] : [];
}

function noteOf(conclusion: Conclusion): string | null {
  if (conclusion.kind === 'partial') return partialNote(conclusion.message, 'preview');
  return conclusion.kind === 'succeeded' ? null : chargedNote(conclusion.charge);
}

/** Why something was charged for a request that was not read; null where nothing was. */
export function chargedNote(charge: NanoUsd, { retried = false } = {}): string | null {
  if (charge === 0n) return null;
  const cost = retried ? 'The providers’ cost of the attempts' : 'The provider’s cost of the attempt';
  return `${cost}, ${toUsd(charge)} USD, was charged, not the full price.`;
}

function isPending(attempts: readonly Attempt[]): boolean {
  return attempts.some(({ billing }) => billing === 'pending');
}

function metadataOf({ notes, duplicate, preprocessing }: Conclusion): ResultMetadata | null {
  const prepared = preprocessing.length > 0 && { preprocessing: [...preprocessing] };
  if (notes.length === 0 && !duplicate) return prepared ? prepared : null;
  return { warnings: boundedWarnings(notes), possibleDuplicate: duplicate, ...prepared };
}

/** The document's pages; null for a single picture behind a URL, which has no page count of its own. */
function knownTotal(request: OcrRequest, run: Run): number | null {
  const paged = run.pagesTotal > 1 || run.isPaged;
  return request.effective.inputType === 'url' && !paged ? null : run.pagesTotal;
}
