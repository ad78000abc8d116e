import { LaneBatcher, type Lanes } from '../../database/batches/lane-batcher.ts';
import { type Pool, query } from '../../database/pool.ts';
import { shortened, storableConfidence, storableInt, storableJson, storableUsage } from '../../database/storable.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
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

/** How a request ended: all that is written when it does. */
export interface Settled {
  readonly status: FinalState;
  readonly outcome: Exclude<RequestOutcome, 'processing'>;
  /** The error a waiting caller gets instead; the idempotency key is free again then. */
  readonly errorCode: ErrorCode | null;
  /** Its account had it ended before all of it was read. */
  readonly cancelled: boolean;
  readonly providerError: string | null;
  readonly engine: string;
  readonly charge: NanoUsd;
  /** What it cost beyond the limit that its caller has set: the operator's. */
  readonly beyondLimit?: NanoUsd;
  /** `charge`: a price for pages read. `provider_cost`: what a failed attempt cost. */
  readonly chargeKind: 'charge' | 'provider_cost';
  /** Pages processed and billed; 0 on failure. */
  readonly pages: number;
  readonly pagesTotal: number | null;
  readonly warnings: readonly string[];
  readonly warning: string | null;
  /** The same where nothing of the text is kept; absent where it is no other. */
  readonly warningUnkept?: string;
  readonly metadata: ResultMetadata | null;
  readonly appliedSettings: AppliedSettings | null;
  /** The joined text of a success, for a caller who waits; the rows hold it page by page. */
  readonly text: string;
  readonly preview: string | null;
  readonly confidence: number | null;
  readonly providerLatencyMs: number | null;
  readonly pageRows: readonly OcrPage[];
  readonly attempts: readonly Attempt[];
  /** Where the end is announced. */
  readonly webhookUrl: string | null;
}

/** A request to end: `fence` is of the lease under which the work was done; an older one settles nothing. */
export type Ending = Pick<OcrRequest, 'id' | 'accountId' | 'fence' | 'mode' | 'createdAt'> &
  Partial<Pick<OcrRequest, 'documentHash'>>;

export interface SettleOptions {
  /** A caller waits for the text elsewhere, or for the preview of a partial result, even where it is not retained. */
  readonly passText?: boolean;
  /** Likewise for the pages. */
  readonly passPages?: boolean;
  readonly phases?: Phases | null;
  /** The idempotency key is free again, whatever the mode. */
  readonly unbinds?: boolean;
  /** It waits in the queue, and leaves it. */
  readonly dequeues?: boolean;
  /** How long a locked wallet is waited for, in milliseconds. */
  readonly patienceMs?: number;
}

interface Item extends PackedItem {
  readonly settled: Settled;
  readonly dequeues: boolean;
  readonly hasLayouts: boolean;
}

interface Packing {
  readonly request: Ending;
  readonly settled: Settled;
  readonly passing: string | null;
  readonly passesPages: boolean;
  readonly phases: Phases | null;
  readonly unbinds: boolean;
}

/** Of the texts of one statement, in characters: more than one request may have, and not many of them. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024;
const PATIENCE_MS = 30_000;
/** Of what providers say and call themselves. */
const LONGEST_MESSAGE = 4000;
const LONGEST_NAME = 200;

/** What the database has of the end. */
export type Ended = Pick<OcrRequest, 'textRetained' | 'finishedAt' | 'cancelledAt' | 'cancelRequestedAt'>;

/** `lost`: the lease had gone to another process. */
export type SettlementAnswer = 'lost' | Ended;

interface Row {
  n: number;
  /** Of a request that this statement has ended; null for any other. */
  history: boolean | null;
  locked: boolean;
  hasWallet: boolean;
  /** Of a request under this fence that this statement has not ended; null where there is none. */
  open: boolean | null;
  status: string | null;
  history_before: boolean | null;
  finished_at: Date | null;
  cancelled_at: Date | null;
  cancel_requested_at: Date | null;
}

/** Settles requests, gathered as acceptance is. */
export class SettlementStore {
  readonly #pool: Pool;
  readonly #onAnnounced: () => void;
  readonly #onEnded: (request: Ending, settled: Settled) => void;
  readonly #walletRetries: WalletRetries;
  readonly #batcher: LaneBatcher<Item, SettlementAnswer | 'locked'>;

  /** `onAnnounced` is called when webhooks became due, `onEnded` with each request that was ended. */
  constructor(
    pool: Pool,
    options: {
      lanes: Lanes;
      walletRetries: WalletRetries;
      onAnnounced: () => void;
      onEnded?: (request: Ending, settled: Settled) => void;
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
    });
  }

  /**
   * The same settlement may be sent again when its answer was lost: it then answers what the first one has done. Throws
   * `OutageError` while the wallet or the request stays locked.
   */
  async settle(request: Ending, settled: Settled, options: SettleOptions = {}): Promise<SettlementAnswer> {
    const { passText = false, passPages = false, phases = null, unbinds = false, patienceMs = PATIENCE_MS } = options;
    const dequeues = settled.cancelled || options.dequeues === true;
    const read = settled.status === 'partial' ? settled.preview : settled.text;
    const passing = passText ? read : null;
    const { rows, lines } = packedLayouts(settled.pageRows);
    const packed = { ...pack({ request, settled, passing, passesPages: passPages, phases, unbinds }), ...rows };
    const json = storableJson(JSON.stringify(packed));
    const item = { settled, dequeues, json, lines, length: json.length + lines.length, hasLayouts: hasLayouts(packed) };
    const answer = await this.#walletRetries.through(request.accountId, () => this.#batcher.add(item), {
      limitMs: patienceMs,
    });
    if (answer !== 'lost') this.#onEnded(request, settled);
    return answer;
  }

  async #settle(items: Item[]): Promise<Promise<SettlementAnswer | 'locked'>[]> {
    const announces = items.some(({ settled }) => settled.webhookUrl !== null);
    const dequeues = items.some((item) => item.dequeues);
    const withLayouts = items.some((item) => item.hasLayouts);
    const statement = settleStatement({ announces, dequeues, hasLayouts: withLayouts });
    const values = settlementValues(items, withLayouts);
    const rows = await query<Row & Record<string, unknown>>(this.#pool, statement, values);
    // From here on it is committed: what is wrong with one is that one's alone.
    return items.map(async (item, n) => {
      if (n === 0 && announces) this.#onAnnounced();
      return judge(item, rows[n]);
    });
  }
}

/** What the statement's row means. A request that an earlier try has ended, in the same way, was ended by us. */
function judge({ settled }: Item, row: Row | undefined): SettlementAnswer | 'locked' {
  if (!row) throw new Error('settlement lost a request');
  if (row.history !== null) return endOf(row, row.history);
  if (row.open === null) return 'lost';
  if (!row.open) return row.status === settled.status ? endOf(row, row.history_before === true) : 'lost';
  if (row.locked || row.hasWallet) return 'locked';
  throw new AppError('internal_error', 'The account has no wallet: an operator has to look at it.');
}

function endOf(row: Row, textRetained: boolean): Ended {
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

function pack({ request, settled, passing, passesPages, phases, unbinds }: Packing): Record<string, unknown> {
  const unquote = unquoteOf(settled.attempts);
  return {
    id: request.id,
    account_id: request.accountId,
    fence: request.fence,
    unbinds,
    status: settled.status,
    outcome: settled.outcome,
    error_code: settled.errorCode,
    provider_error: shortened(settled.providerError, LONGEST_MESSAGE),
    engine: settled.engine,
    charge: String(settled.charge),
    kind: settled.chargeKind,
    pages: settled.pages,
    pages_total: settled.pagesTotal,
    warnings: settled.warnings,
    warning: settled.warning,
    metadata: settled.metadata,
    ...unkeptParts(settled, unquote),
    applied_settings: settled.appliedSettings,
    preview: settled.preview,
    confidence: storableConfidence(settled.confidence),
    provider_latency_ms: storableInt(settled.providerLatencyMs),
    document_ms: storableInt(phases?.documentMs ?? null),
    render_ms: storableInt(phases?.renderMs ?? null),
    wall_times: phases?.clock.times ?? null,
    webhook_url: settled.webhookUrl,
    page_rows: settled.pageRows.map((page) => ({
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
    attempts: settled.attempts.map((attempt) => ({
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
    cancelled: settled.cancelled,
    ...(request.documentHash && { document_hash: request.documentHash }),
    ...(passesPages && { passing_pages: passingPages(settled.pageRows) }),
  };
}
