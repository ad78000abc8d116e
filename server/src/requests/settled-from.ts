import { toUsd } from '../database/money.ts';
import type { Engine } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import type { Conclusion } from './conclude.ts';
import type { OcrRequest } from './ocr-request.ts';
import type { Run } from './read-request.ts';
import type { ResultMetadata } from './result-metadata.type.ts';
import { sentences } from './sentences.ts';
import type { Settled } from './settlement.ts';

/** The end of a request whose engine was run. `alternative` is the engine that automatic retry would have used. */
export function settledFromRun(request: OcrRequest, run: Run, alternative: Engine | null): Settled {
  const { conclusion } = run;
  const end = ENDS[conclusion.kind];
  return {
    ...end,
    providerError: conclusion.message === null ? null : failureText(conclusion, request, alternative),
    engine: request.requestedEngine,
    charge: conclusion.charge,
    chargeKind: conclusion.chargeKind,
    pages: conclusion.pages,
    pagesTotal: knownTotal(request, run),
    warnings: [...request.notes, ...run.warnings, ...conclusion.warnings, ...pendingNote(conclusion)],
    warning: noteOf(conclusion),
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

/** The end of a request that no engine's answer decided: found unusable, or our own failure. Nothing is charged. */
export function settledFromError(request: OcrRequest, error: AppError): Settled {
  const rejected = error.status < 500;
  return {
    status: rejected ? 'rejected' : 'failed',
    outcome: 'refunded',
    errorCode: error.code,
    providerError: error.message,
    engine: request.requestedEngine,
    charge: 0n,
    chargeKind: 'charge',
    pages: 0,
    pagesTotal: request.pagesTotal,
    warnings: request.notes,
    warning: null,
    metadata: null,
    appliedSettings: null,
    text: '',
    preview: null,
    confidence: null,
    providerLatencyMs: null,
    pageRows: [],
    attempts: [],
    webhookUrl: request.effective.webhookUrl,
  };
}

const ENDS = {
  succeeded: { status: 'succeeded', outcome: 'succeeded', errorCode: null },
  partial: { status: 'partial', outcome: 'partial', errorCode: null },
  refused: { status: 'failed', outcome: 'refunded', errorCode: null },
  timeout: { status: 'failed', outcome: 'timeout', errorCode: null },
  unreadable: { status: 'rejected', outcome: 'refunded', errorCode: 'unprocessable_entity' },
  failed: { status: 'failed', outcome: 'refunded', errorCode: 'provider_error' },
  unavailable: { status: 'failed', outcome: 'refunded', errorCode: 'engine_unavailable' },
} as const;

function failureText(conclusion: Conclusion, request: OcrRequest, alternative: Engine | null): string {
  const parts = [conclusion.message ?? 'The engine did not read the document.'];
  if (conclusion.attempts.some(({ billing }) => billing === 'pending')) {
    parts.push(
      'The provider has not reported what the attempt cost: billing is pending, nothing was charged for it yet.',
    );
  }
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

/** A failure says it in `provider_error`. */
function pendingNote({ kind, attempts }: Conclusion): string[] {
  const isRead = kind === 'succeeded' || kind === 'partial';
  if (!isRead || !attempts.some(({ billing }) => billing === 'pending')) return [];
  return ['The provider’s usage is missing or not credible: billing is pending until its cost is verified.'];
}

function noteOf(conclusion: Conclusion): string | null {
  if (conclusion.kind === 'partial') {
    return sentences([
      `Only part of the text was recovered: ${conclusion.message}`,
      'The preview is all that is kept.',
    ]);
  }
  if (conclusion.kind !== 'succeeded' && conclusion.charge > 0n) {
    return `The provider’s cost of the attempt, ${toUsd(conclusion.charge)} USD, was charged, not the full price.`;
  }
  return null;
}

function metadataOf({ notes, duplicate }: Conclusion): ResultMetadata | null {
  if (notes.length === 0 && !duplicate) return null;
  return { warnings: [...notes], possibleDuplicate: duplicate };
}

/** A single picture behind a URL says nothing of pages; everything else has a known length. */
function knownTotal(request: OcrRequest, run: Run): number | null {
  const paged = run.pagesTotal > 1 || run.isPaged;
  return request.effective.inputType === 'url' && !paged ? null : run.pagesTotal;
}
