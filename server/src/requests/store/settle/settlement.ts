import type { ErrorCode } from '../../../platform/errors.ts';
import type { NanoUsd } from '../../../platform/money.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { OcrPage } from '../../model/ocr-page.ts';
import type { OcrRequest } from '../../model/ocr-request.ts';
import type { RequestOutcome } from '../../model/request-enums.ts';
import type { AppliedSettings, ResultMetadata } from '../../model/result-metadata.type.ts';
import type { FinalState } from '../../model/states.ts';

/** How a request ends: everything that its settlement writes. */
export interface Settlement {
  readonly status: FinalState;
  readonly outcome: Exclude<RequestOutcome, 'processing'>;
  /** The error that a waiting caller gets instead of an outcome. It frees the idempotency key. */
  readonly errorCode: ErrorCode | null;
  /** The account cancelled it before all of it was read. */
  readonly cancelled: boolean;
  readonly providerError: string | null;
  readonly engine: string;
  readonly charge: NanoUsd;
  /** Cost above the caller's `max_cost_usd`: the operator bears it. */
  readonly beyondLimit?: NanoUsd;
  /** `charge`: a price for pages read. `provider_cost`: what a failed attempt cost. */
  readonly chargeKind: 'charge' | 'provider_cost';
  /** Pages processed and billed; 0 on failure. */
  readonly pages: number;
  readonly pagesTotal: number | null;
  readonly warnings: readonly string[];
  readonly warning: string | null;
  /** Replaces `warning` where no text is kept; absent where `warning` fits both cases. */
  readonly warningWithoutText?: string;
  readonly metadata: ResultMetadata | null;
  readonly appliedSettings: AppliedSettings | null;
  /** The joined text of a success, for the waiting caller. The database gets it page by page, in `pageRows`. */
  readonly text: string;
  readonly preview: string | null;
  readonly confidence: number | null;
  readonly providerLatencyMs: number | null;
  readonly pageRows: readonly OcrPage[];
  readonly attempts: readonly Attempt[];
  /** The request's `webhook_url`. */
  readonly webhookUrl: string | null;
}

/**
 * The request to settle. `fence` is that of the lease under which the work was done: a settlement with an older one is
 * `lost`.
 */
export type RequestToSettle = Pick<OcrRequest, 'id' | 'accountId' | 'fence' | 'mode' | 'createdAt'> &
  Partial<Pick<OcrRequest, 'documentHash'>>;

/** What the database has stored of a request's end. */
export type StoredEnd = Pick<OcrRequest, 'textRetained' | 'finishedAt' | 'cancelledAt' | 'cancelRequestedAt'>;
