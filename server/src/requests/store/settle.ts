import { LaneBatcher, type Lanes } from '../../database/batches/lane-batcher.ts';
import { type Pool, query } from '../../database/pool.ts';
import { shortened, storableConfidence, storableInt, storableJson } from '../../database/storable.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { storableUsage } from '../judge/storable-usage.ts';
import { type Unquote, unkeptParts, unquoteOf } from '../judge/unquoted.ts';
import type { Attempt } from '../model/attempt.ts';
import type { OcrPage } from '../model/ocr-page.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestOutcome } from '../model/request-enums.ts';
import type { AppliedSettings, ResultMetadata } from '../model/result-metadata.type.ts';
import type { FinalState } from '../model/states.ts';
import type { Phases } from '../times/phases.ts';
import { hasLayouts, type PackedItem, packedLayouts, passingPages, settlementValues } from './layout-sql.ts';
import { settleStatement } from './settle-sql.ts';
import type { WalletRetries } from './wallet-retries.ts';

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

export interface SettleOptions {
  /**
   * Hands the text (of a partial result: the preview) to a caller who waits in another process, even where it is not
   * retained.
   */
  readonly passText?: boolean;
  /** Does the same with the pages. */
  readonly passPages?: boolean;
  readonly phases?: Phases | null;
  /** Frees the idempotency key, whatever the mode. */
  readonly unbinds?: boolean;
  /** The request may be in the queue: removes it from there. */
  readonly dequeues?: boolean;
  /** How long to wait for a locked wallet, in milliseconds. */
  readonly patienceMs?: number;
}

interface Item extends PackedItem {
  readonly settlement: Settlement;
  readonly dequeues: boolean;
  readonly hasLayouts: boolean;
}

interface Packing {
  readonly request: RequestToSettle;
  readonly settlement: Settlement;
  readonly passing: string | null;
  readonly passesPages: boolean;
  readonly phases: Phases | null;
  readonly unbinds: boolean;
}

/** Characters of one statement's texts: room for the largest request, but not for many large ones. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024;
const PATIENCE_MS = 30_000;
/** Characters kept of a provider's messages, and of its ids and versions. */
const LONGEST_MESSAGE = 4000;
const LONGEST_NAME = 200;

/** What the database has stored of a request's end. */
export type StoredEnd = Pick<OcrRequest, 'textRetained' | 'finishedAt' | 'cancelledAt' | 'cancelRequestedAt'>;

/** `lost`: the request is under another lease by now, or has ended in another way; nothing was written. */
export type SettlementAnswer = 'lost' | StoredEnd;

interface Row {
  n: number;
  /** Whether the text is kept of a request that this statement has ended; null for any other request. */
  history: boolean | null;
  locked: boolean;
  hasWallet: boolean;
  /** Whether a request under this fence, which this statement has not ended, is still open; null where there is none. */
  open: boolean | null;
  status: string | null;
  history_before: boolean | null;
  finished_at: Date | null;
  cancelled_at: Date | null;
  cancel_requested_at: Date | null;
}

/** Settles requests: those that wait while a statement runs go together into the next one, as with acceptance. */
export class SettlementStore {
  readonly #pool: Pool;
  readonly #onAnnounced: () => void;
  readonly #onEnded: (request: RequestToSettle, settlement: Settlement) => void;
  readonly #walletRetries: WalletRetries;
  readonly #batcher: LaneBatcher<Item, SettlementAnswer | 'locked'>;

  /** `onAnnounced` is called when webhooks became due, `onEnded` with each request that was ended. */
  constructor(
    pool: Pool,
    options: {
      lanes: Lanes;
      walletRetries: WalletRetries;
      onAnnounced: () => void;
      onEnded?: (request: RequestToSettle, settlement: Settlement) => void;
    },
  ) {
    this.#pool = pool;
    this.#onEnded = options.onEnded ?? (() => undefined);
    this.#onAnnounced = options.onAnnounced;
    this.#walletRetries = options.walletRetries;
    const { lanes } = options;
    this.#batcher = new LaneBatcher((items) => this.#settle(items), {
      maxItems: 32,
      weight: { of: ({ length }) => length, max: MAX_BATCH_LENGTH },
      lanes,
      waits: pool.waits,
      startsSmall: true,
    });
  }

  /**
   * A settlement may be sent again when its answer was lost: it then answers what the first one has done. Throws
   * `OutageError` while the wallet or the request stays locked.
   */
  async settle(
    request: RequestToSettle,
    settlement: Settlement,
    options: SettleOptions = {},
  ): Promise<SettlementAnswer> {
    const { passText = false, passPages = false, phases = null, unbinds = false, patienceMs = PATIENCE_MS } = options;
    const dequeues = settlement.cancelled || options.dequeues === true;
    const read = settlement.status === 'partial' ? settlement.preview : settlement.text;
    const passing = passText ? read : null;
    const { rows, lines } = packedLayouts(settlement.pageRows);
    const packed = { ...pack({ request, settlement, passing, passesPages: passPages, phases, unbinds }), ...rows };
    const json = storableJson(JSON.stringify(packed));
    const length = json.length + lines.length;
    const item = { settlement, dequeues, json, lines, length, hasLayouts: hasLayouts(packed) };
    const answer = await this.#walletRetries.through(request.accountId, () => this.#batcher.add(item), {
      limitMs: patienceMs,
    });
    if (answer !== 'lost') this.#onEnded(request, settlement);
    return answer;
  }

  async #settle(items: Item[]): Promise<Promise<SettlementAnswer | 'locked'>[]> {
    const announces = items.some(({ settlement }) => settlement.webhookUrl !== null);
    const dequeues = items.some((item) => item.dequeues);
    const withLayouts = items.some((item) => item.hasLayouts);
    const statement = settleStatement({ announces, dequeues, hasLayouts: withLayouts });
    const values = settlementValues(items, withLayouts);
    const rows = await query<Row & Record<string, unknown>>(this.#pool, statement, values);
    // The statement is committed: an error from here on concerns its own item alone.
    return items.map(async (item, n) => {
      if (n === 0 && announces) this.#onAnnounced();
      return judge(item, rows[n]);
    });
  }
}

/** What the statement's row means. A request that has ended with the same status was ended by an earlier try of ours. */
function judge({ settlement }: Item, row: Row | undefined): SettlementAnswer | 'locked' {
  if (!row) throw new Error('settlement lost a request');
  if (row.history !== null) return endOf(row, row.history);
  if (row.open === null) return 'lost';
  if (!row.open) return row.status === settlement.status ? endOf(row, row.history_before === true) : 'lost';
  if (row.locked || row.hasWallet) return 'locked';
  throw new AppError('internal_error', 'The account has no wallet: an operator has to look at it.');
}

function endOf(row: Row, textRetained: boolean): StoredEnd {
  return {
    textRetained,
    finishedAt: row.finished_at,
    cancelledAt: row.cancelled_at,
    cancelRequestedAt: row.cancel_requested_at,
  };
}

function messagesOf(message: string | null, unquote: Unquote | null): Record<string, string | null> {
  const kept = { message: shortened(message, LONGEST_MESSAGE) };
  return unquote ? { ...kept, message_unkept: shortened(unquote(message), LONGEST_MESSAGE) } : kept;
}

function pack({ request, settlement, passing, passesPages, phases, unbinds }: Packing): Record<string, unknown> {
  const unquote = unquoteOf(settlement.attempts);
  return {
    id: request.id,
    account_id: request.accountId,
    fence: request.fence,
    unbinds,
    status: settlement.status,
    outcome: settlement.outcome,
    error_code: settlement.errorCode,
    provider_error: shortened(settlement.providerError, LONGEST_MESSAGE),
    engine: settlement.engine,
    charge: String(settlement.charge),
    kind: settlement.chargeKind,
    pages: settlement.pages,
    pages_total: settlement.pagesTotal,
    warnings: settlement.warnings,
    warning: settlement.warning,
    metadata: settlement.metadata,
    ...unkeptParts(settlement, unquote),
    applied_settings: settlement.appliedSettings,
    preview: settlement.preview,
    confidence: storableConfidence(settlement.confidence),
    provider_latency_ms: storableInt(settlement.providerLatencyMs),
    document_ms: storableInt(phases?.documentMs ?? null),
    render_ms: storableInt(phases?.renderMs ?? null),
    wall_times: phases?.clock.times ?? null,
    webhook_url: settlement.webhookUrl,
    page_rows: settlement.pageRows.map((page) => ({
      number: page.number,
      engine: page.engine,
      source: page.source,
      state: page.state,
      text: page.text,
      confidence: storableConfidence(page.confidence),
      provider_latency_ms: storableInt(page.providerLatencyMs),
      cost: String(page.cost),
      code: page.code,
      ...messagesOf(page.message, unquoteOf([page])),
    })),
    attempts: settlement.attempts.map((attempt) => ({
      id: attempt.id,
      number: attempt.number,
      engine: attempt.engine,
      outcome: attempt.outcome,
      provider_latency_ms: storableInt(attempt.providerLatencyMs),
      pages: attempt.pages,
      pages_tried: attempt.pagesTried,
      billing: attempt.billing,
      cost: String(attempt.cost),
      usage: storableUsage(attempt.usage),
      usage_doubted: attempt.isUsageDoubted,
      provider_request_id: shortened(attempt.providerRequestId, LONGEST_NAME),
      model_version: shortened(attempt.modelVersion, LONGEST_NAME),
      ...messagesOf(attempt.message, unquote),
      provider_fault: attempt.providerFault,
      quote_at: attempt.quoteAt,
    })),
    passing,
    cancelled: settlement.cancelled,
    ...(request.documentHash && { document_hash: request.documentHash }),
    ...(passesPages && { passing_pages: passingPages(settlement.pageRows) }),
  };
}
