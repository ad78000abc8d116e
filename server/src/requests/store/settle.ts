import { keepsText } from '../../accounts/store/history-sql.ts';
import { IS_LOCKED, LOCK_WALLETS, SETTLE_HOLDS } from '../../billing/money-sql.ts';
import { Batcher } from '../../database/batcher.ts';
import { columnNames, recordset } from '../../database/columns.ts';
import { type Pool, query } from '../../database/pool.ts';
import { shortened, storableConfidence, storableInt, storableJson, storableUsage } from '../../database/storable.ts';
import type { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { ANNOUNCE } from '../../webhooks/announce-sql.ts';
import { Attempt } from '../model/attempt.ts';
import { OcrPage } from '../model/ocr-page.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { Phases } from '../model/phases.ts';
import type { RequestOutcome } from '../model/request-enums.ts';
import type { AppliedSettings, ResultMetadata } from '../model/result-metadata.type.ts';
import { type FinalState, IS_OPEN, transitionSql } from '../model/states.ts';
import { hasLayouts, packedLayouts, passingPages, WITH_LAYOUTS, WITHOUT_LAYOUTS } from './layout-sql.ts';
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
  /** `charge`: a price for pages read. `provider_cost`: what a failed attempt cost. */
  readonly chargeKind: 'charge' | 'provider_cost';
  /** Pages processed and billed; 0 on failure. */
  readonly pages: number;
  readonly pagesTotal: number | null;
  readonly warnings: readonly string[];
  readonly warning: string | null;
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
export type Ending = Pick<OcrRequest, 'id' | 'accountId' | 'fence' | 'mode' | 'createdAt'>;

export interface SettleOptions {
  /** A caller waits for the text elsewhere, even where it is not retained. */
  readonly passText?: boolean;
  /** Likewise for the pages. */
  readonly passPages?: boolean;
  readonly phases?: Phases | null;
  /** The idempotency key is free again, whatever the mode. */
  readonly unbinds?: boolean;
  /** How long a locked wallet is waited for, in milliseconds. */
  readonly patienceMs?: number;
}

interface Item {
  readonly request: Ending;
  readonly settled: Settled;
  readonly passing: string | null;
  readonly passesPages: boolean;
  readonly phases: Phases | null;
  readonly unbinds: boolean;
}

const PATIENCE_MS = 30_000;
/** Of what providers say and call themselves. */
const LONGEST_MESSAGE = 4000;
const LONGEST_NAME = 200;

/** What comes with each page and each attempt; the rest of their rows is the request's. */
const PAGE = [
  'number',
  'engine',
  'source',
  'state',
  'confidence',
  'providerLatencyMs',
  'cost',
  'code',
  'message',
] as const satisfies readonly (keyof OcrPage)[];
const ATTEMPT = [
  'id',
  'number',
  'engine',
  'outcome',
  'providerLatencyMs',
  'pages',
  'pagesTried',
  'billing',
  'cost',
  'usage',
  'providerRequestId',
  'modelVersion',
  'message',
  'providerFault',
] as const satisfies readonly (keyof Attempt)[];

/** What was kept: nothing (`lost`) when the lease had gone to another process. */
export type SettlementAnswer = 'lost' | { readonly textRetained: boolean };

/** A crash of the database can have taken back the claim (see `CLAIM`): then it was not claimed again since. */
const IS_UNDER_FENCE = `(r.fence = i.fence or (r.fence = i.fence - 1 and ${transitionSql('claim', 'r').from}))`;

const KEEPS_TEXT = keepsText('r.account_id', 'r.created_at');

/**
 * Ends requests whose wallets and rows it gets hold of without waiting; the others are tried again: the state, the pages,
 * the attempts, the hold and the money in one statement and one commit, for all that wait. Text is kept only where the
 * account has kept history since the request was accepted.
 *
 * Two items can be of one request: its run, and its cancellation while it waited. One of them ends it, and only that one
 * moves money.
 *
 * Open ones are found by `finished_at` and not by `status`, so that the planner goes by the primary key and not through
 * the partial index of everything that is open.
 */
function settle(announcement: string, { cancellations = false, layouts = WITHOUT_LAYOUTS } = {}): string {
  return `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, fence int, unbinds boolean, status text, outcome text, error_code text, provider_error text, engine text,
      charge bigint, kind text, pages int, pages_total int, warnings jsonb, warning text, metadata jsonb,
      applied_settings jsonb, preview text, confidence real, provider_latency_ms int, document_ms int, render_ms int, wall_times jsonb, page_rows json, attempts json,
      webhook_url text, passing text, cancelled boolean${layouts.columns})
  ), ${LOCK_WALLETS},
  mine as materialized (
    select r.id, ${KEEPS_TEXT} and not r.discard as keeps from ocr_request r
    where r.id = any(array(select i.id from item i join locked l on l.account_id = i.account_id)) and r.${IS_OPEN}
    for update skip locked
  ),
  ended as (
    update ocr_request r set
      status = i.status, outcome = i.outcome, error_code = i.error_code, provider_error = i.provider_error,
      engine = i.engine, cost = i.charge, pages = i.pages, pages_total = i.pages_total,
      warnings = i.warnings, warning = i.warning,
      metadata = case when m.keeps then i.metadata else i.metadata - 'possibleDuplicate' end,
      applied_settings = i.applied_settings, preview = case when m.keeps then i.preview end, text_retained = m.keeps,
      confidence = i.confidence, provider_latency_ms = i.provider_latency_ms, document_ms = i.document_ms,
      render_ms = i.render_ms, wall_times = i.wall_times,
      idempotency_key = case when not i.unbinds and (i.error_code is null or r.mode = 'async') then r.idempotency_key end,
      lease_owner = null, lease_expires_at = null, starts = r.starts + i.fence - r.fence, fence = i.fence,
      finished_at = now()${cancellations ? ', cancelled_at = case when i.cancelled then now() end' : ''}
    from item i join mine m on m.id = i.id
    where r.id = any(array(select id from mine)) and r.id = i.id and ${IS_UNDER_FENCE} and r.${IS_OPEN}
    returning i.n, r.id, r.account_id, r.hold, r.started_at, r.text_retained as history
  ),
  done as materialized (
    select i.n, i.id, e.account_id, e.hold, e.started_at, i.charge, i.kind, i.pages, e.history, i.page_rows, i.attempts,
      i.engine, i.outcome, i.webhook_url, i.passing${layouts.picked}
    from item i join ended e on e.n = i.n
  ), ${SETTLE_HOLDS}, ${announcement}
  page_rows as (
    insert into ocr_page (request_id, text, ${columnNames(OcrPage, PAGE)})
    select d.id, case when d.history then p.text end, ${columnNames(OcrPage, PAGE, 'p')}
    from done d cross join lateral json_to_recordset(d.page_rows) as p(text text, ${recordset(OcrPage, PAGE)})
  ),
  attempt_rows as (
    insert into attempt (request_id, started_at, finished_at, ${columnNames(Attempt, ATTEMPT)})
    select d.id, coalesce(d.started_at, now()), now(), ${columnNames(Attempt, ATTEMPT, 'a')}
    from done d cross join lateral json_to_recordset(d.attempts) as a(${recordset(Attempt, ATTEMPT)})
  ),
${layouts.rows}  passed as (
    ${layouts.passed}
  ),
  ${cancellations ? 'dequeued as (delete from queued_request where request_id = any(array(select id from done))),' : ''}
  journal as (delete from job_page where request_id = any(array(select id from done))),
  emptied as (delete from stored_document where request_id = any(array(select id from done)))
  select i.n, d.history, ${IS_LOCKED} as locked, b.status, b.history as history_before,
    l.account_id is not null as "hasWallet", b.open
  from item i left join done d on d.n = i.n left join locked l on l.account_id = i.account_id
  left join lateral (
    select r.status, r.text_retained as history, r.${IS_OPEN} as open from ocr_request r
    where d.n is null and r.id = i.id and ${IS_UNDER_FENCE}) b on true
  order by i.n`;
}

/** What could announce, or note a cancellation, costs more although it does not: most requests go without. */
const SETTLE = { name: 'settle-requests', text: settle('') };
const SETTLE_AND_ANNOUNCE = { name: 'settle-and-announce-requests', text: settle(`${ANNOUNCE},`) };
const SETTLE_CANCELLED = { name: 'settle-cancelled-requests', text: settle(`${ANNOUNCE},`, { cancellations: true }) };
/** Likewise for requests that do not ask for their pages; what asks for them may be cancelled, too. */
const SETTLE_WITH_LAYOUTS = { name: 'settle-with-layouts', text: settle('', { layouts: WITH_LAYOUTS }) };
const SETTLE_ALL = {
  name: 'settle-all-with-layouts',
  text: settle(`${ANNOUNCE},`, { cancellations: true, layouts: WITH_LAYOUTS }),
};

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
}

/** Settles requests, gathered as acceptance is. */
export class SettlementStore {
  readonly #pool: Pool;
  readonly #onAnnounced: () => void;
  readonly #onEnded: (request: Ending, settled: Settled) => void;
  readonly #walletRetries: WalletRetries;
  readonly #batcher: Batcher<Item, SettlementAnswer | 'locked'>;

  /** `onAnnounced` is called when webhooks became due, `onEnded` with each request that was ended. */
  constructor(
    pool: Pool,
    options: {
      semaphore: Semaphore;
      walletRetries: WalletRetries;
      onAnnounced: () => void;
      onEnded?: (request: Ending, settled: Settled) => void;
    },
  ) {
    this.#pool = pool;
    this.#onEnded = options.onEnded ?? (() => undefined);
    this.#onAnnounced = options.onAnnounced;
    this.#walletRetries = options.walletRetries;
    const { semaphore } = options;
    this.#batcher = new Batcher((items) => this.#settle(items), { maxItems: 32, semaphore, waits: pool.waits });
  }

  /**
   * The same settlement may be sent again when its answer was lost: it then answers what the first one has done. Throws
   * `OutageError` while the wallet or the request stays locked.
   */
  async settle(request: Ending, settled: Settled, options: SettleOptions = {}): Promise<SettlementAnswer> {
    const { passText = false, passPages = false, phases = null, unbinds = false, patienceMs = PATIENCE_MS } = options;
    const passing = passText ? settled.text : null;
    const item = { request, settled, passing, passesPages: passPages, phases, unbinds };
    const answer = await this.#walletRetries.through(request.accountId, () => this.#batcher.add(item), patienceMs);
    if (answer !== 'lost') this.#onEnded(request, settled);
    return answer;
  }

  async #settle(items: Item[]): Promise<Promise<SettlementAnswer | 'locked'>[]> {
    const announces = items.some(({ settled }) => settled.webhookUrl !== null);
    const packed = items.map(pack);
    const cancels = items.some(({ settled }) => settled.cancelled);
    const statement = statementFor({ announces, cancels, hasLayouts: packed.some(hasLayouts) });
    const rows = await query<Row & Record<string, unknown>>(this.#pool, statement, [
      storableJson(JSON.stringify(packed)),
    ]);
    // From here on it is committed: what is wrong with one is that one's alone.
    return items.map(async (item, n) => {
      if (n === 0 && announces) this.#onAnnounced();
      return judge(item, rows[n]);
    });
  }
}

interface Needs {
  readonly announces: boolean;
  readonly cancels: boolean;
  readonly hasLayouts: boolean;
}

function statementFor({ announces, cancels, hasLayouts }: Needs): typeof SETTLE {
  if (hasLayouts) return announces || cancels ? SETTLE_ALL : SETTLE_WITH_LAYOUTS;
  if (cancels) return SETTLE_CANCELLED;
  return announces ? SETTLE_AND_ANNOUNCE : SETTLE;
}

/** What the statement's row means. A request that an earlier try has ended, in the same way, was ended by us. */
function judge({ settled }: Item, row: Row | undefined): SettlementAnswer | 'locked' {
  if (!row) throw new Error('settlement lost a request');
  if (row.history !== null) return { textRetained: row.history };
  if (row.open === null) return 'lost';
  if (!row.open) return row.status === settled.status ? { textRetained: row.history_before === true } : 'lost';
  if (row.locked || row.hasWallet) return 'locked';
  throw new AppError('internal_error', 'The account has no wallet: an operator has to look at it.');
}

function pack({ request, settled, passing, passesPages, phases, unbinds }: Item, n: number): Record<string, unknown> {
  return {
    n,
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
      message: shortened(page.message, LONGEST_MESSAGE),
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
      provider_request_id: shortened(attempt.providerRequestId, LONGEST_NAME),
      model_version: shortened(attempt.modelVersion, LONGEST_NAME),
      message: shortened(attempt.message, LONGEST_MESSAGE),
      provider_fault: attempt.providerFault,
    })),
    passing,
    cancelled: settled.cancelled,
    ...packedLayouts(settled.pageRows),
    ...(passesPages && { passing_pages: passingPages(settled.pageRows) }),
  };
}
