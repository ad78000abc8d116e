import { SETTLE_HOLDS } from '../billing/money-sql.ts';
import { Gather } from '../database/gather.ts';
import type { Lane } from '../database/lane.ts';
import type { NanoUsd } from '../database/money.ts';
import { type Pool, query } from '../database/pool.ts';
import type { ErrorCode } from '../errors.ts';
import { ANNOUNCE } from '../webhooks/announce-sql.ts';
import type { Attempt } from './attempt.ts';
import type { OcrPage } from './ocr-page.ts';
import type { RequestOutcome, RequestStatus } from './ocr-request.ts';
import type { Phases } from './phases.ts';
import type { AppliedSettings, ResultMetadata } from './result-metadata.type.ts';

/** How a request ended: all that is written when it does. */
export interface Settled {
  readonly status: Exclude<RequestStatus, 'queued' | 'processing'>;
  readonly outcome: Exclude<RequestOutcome, 'processing'>;
  /** The error a waiting caller gets instead; the idempotency key is free again then. */
  readonly errorCode: ErrorCode | null;
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
  /** The joined text of a success, for whoever waits; the rows hold it page by page. */
  readonly text: string;
  readonly preview: string | null;
  readonly confidence: number | null;
  readonly providerLatencyMs: number | null;
  readonly pageRows: readonly OcrPage[];
  readonly attempts: readonly Attempt[];
  /** Where the end is announced. */
  readonly webhookUrl: string | null;
}

interface Item {
  readonly id: string;
  /** The lease under which the work was done; an older one settles nothing. */
  readonly fence: number;
  readonly settled: Settled;
  readonly passing: string | null;
  readonly phases: Phases | null;
}

/** What was kept: nothing (`lost`) when the lease had gone to somebody else. */
export type SettlementAnswer = 'lost' | { readonly textRetained: boolean };

/** Not a join: a plan that is made while the table is empty could go through all requests of the account. */
const KEEPS_HISTORY = '(select a.history from account a where a.id = r.account_id)';

/**
 * (The open ones are told by `finished_at` and not by `status`, so that the planner goes by the primary key and not
 * through the partial index of everything that is open.)
 *
 * Ends requests: the state, the pages, the attempts, the hold and the money in one statement and one commit, for all
 * that wait. Text is kept only where the account keeps history.
 */
function settle(announcement: string): string {
  return `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, fence int, status text, outcome text, error_code text, provider_error text, engine text,
      charge bigint, kind text, pages int, pages_total int, warnings jsonb, warning text, metadata jsonb,
      applied_settings jsonb, preview text, confidence real, provider_latency_ms int, document_ms int, render_ms int, page_rows json, attempts json,
      webhook_url text, passing text)
  ),
  ended as (
    update ocr_request r set
      status = i.status, outcome = i.outcome, error_code = i.error_code, provider_error = i.provider_error,
      engine = i.engine, cost = i.charge, pages = i.pages, pages_total = i.pages_total,
      warnings = i.warnings, warning = i.warning, metadata = i.metadata, applied_settings = i.applied_settings,
      preview = case when ${KEEPS_HISTORY} then i.preview end, text_retained = ${KEEPS_HISTORY},
      confidence = i.confidence, provider_latency_ms = i.provider_latency_ms, document_ms = i.document_ms,
      render_ms = i.render_ms,
      idempotency_key = case when i.error_code is null or r.mode = 'async' then r.idempotency_key end,
      lease_owner = null, lease_expires_at = null, finished_at = now()
    from item i
    where r.id = any(array(select id from item)) and r.id = i.id and r.fence = i.fence and r.finished_at is null
    returning r.id, r.account_id, r.hold, r.started_at, r.text_retained as history
  ),
  done as materialized (
    select i.n, i.id, e.account_id, e.hold, e.started_at, i.charge, i.kind, i.pages, e.history, i.page_rows, i.attempts,
      i.engine, i.outcome, i.webhook_url, i.passing
    from item i join ended e on e.id = i.id
  ), ${SETTLE_HOLDS}, ${announcement}
  page_rows as (
    insert into ocr_page (request_id, number, engine, source, state, text, confidence, provider_latency_ms, cost, code, message)
    select d.id, p.number, p.engine, p.source, p.state, case when d.history then p.text end, p.confidence,
      p.provider_latency_ms, p.cost, p.code, p.message
    from done d cross join lateral json_to_recordset(d.page_rows) as p(
      number int, engine text, source text, state text, text text, confidence real, provider_latency_ms int, cost bigint,
      code text, message text)
  ),
  attempt_rows as (
    insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, billing,
      cost, usage, provider_request_id, model_version, message)
    select a.id, d.id, a.number, a.engine, coalesce(d.started_at, now()), now(), a.outcome, a.provider_latency_ms, a.pages, a.billing, a.cost, a.usage,
      a.provider_request_id, a.model_version, a.message
    from done d cross join lateral json_to_recordset(d.attempts) as a(
      id text, number int, engine text, outcome text, provider_latency_ms int, pages int, billing text, cost bigint,
      usage jsonb, provider_request_id text, model_version text, message text)
  ),
  passed as (
    insert into passing_text (request_id, text) select d.id, d.passing from done d where d.passing is not null and not d.history
  ),
  journal as (delete from job_page where request_id = any(array(select id from done))),
  emptied as (delete from stored_document where request_id = any(array(select id from done)))
  select d.id, d.history from done d`;
}

/** A statement that could announce costs more although it does not: what nobody waits to hear of goes without. */
const SETTLE = { name: 'settle-requests', text: settle('') };
const SETTLE_AND_ANNOUNCE = { name: 'settle-and-announce-requests', text: settle(`${ANNOUNCE},`) };

/** Settles requests, gathered as acceptance is. */
export class SettlementDesk {
  readonly #pool: Pool;
  readonly #onAnnounced: () => void;
  readonly #gather: Gather<Item, SettlementAnswer>;

  /** `onAnnounced` is told when webhooks became due. */
  constructor(pool: Pool, options: { lane: Lane; onAnnounced: () => void }) {
    this.#pool = pool;
    this.#onAnnounced = options.onAnnounced;
    this.#gather = new Gather((items) => this.#settle(items), { maxItems: 32, lane: options.lane });
  }

  /** `passText`: a caller waits for the text elsewhere, even where it is not retained. */
  settle(
    id: string,
    fence: number,
    settled: Settled,
    { passText = false, phases = null }: { passText?: boolean; phases?: Phases | null } = {},
  ): Promise<SettlementAnswer> {
    return this.#gather.add({ id, fence, settled, passing: passText ? settled.text : null, phases });
  }

  async #settle(items: Item[]): Promise<SettlementAnswer[]> {
    const announces = items.some(({ settled }) => settled.webhookUrl !== null);
    const rows = await query<{ id: string; history: boolean }>(this.#pool, announces ? SETTLE_AND_ANNOUNCE : SETTLE, [
      storable(JSON.stringify(items.map(pack))),
    ]);
    if (announces) this.#onAnnounced();
    const ended = new Map(rows.map((row) => [row.id, row]));
    return items.map(({ id }) => {
      const row = ended.get(id);
      return row ? { textRetained: row.history } : 'lost';
    });
  }
}

/** PostgreSQL stores no NUL and no half of a surrogate pair, whatever an engine may say. */
function storable(json: string): string {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
  return JSON.stringify(JSON.parse(json, (_, value) => (typeof value === 'string' ? clean(value) : value)));
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

function pack({ id, fence, settled, passing, phases }: Item, n: number): Record<string, unknown> {
  return {
    n,
    id,
    fence,
    status: settled.status,
    outcome: settled.outcome,
    error_code: settled.errorCode,
    provider_error: settled.providerError,
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
    confidence: settled.confidence,
    provider_latency_ms: settled.providerLatencyMs,
    document_ms: phases?.documentMs ?? null,
    render_ms: phases?.renderMs ?? null,
    webhook_url: settled.webhookUrl,
    page_rows: settled.pageRows.map((page) => ({
      number: page.number,
      engine: page.engine,
      source: page.source,
      state: page.state,
      text: page.text,
      confidence: page.confidence,
      provider_latency_ms: page.providerLatencyMs,
      cost: String(page.cost),
      code: page.code,
      message: page.message,
    })),
    attempts: settled.attempts.map((attempt) => ({
      id: attempt.id,
      number: attempt.number,
      engine: attempt.engine,
      outcome: attempt.outcome,
      provider_latency_ms: attempt.providerLatencyMs,
      pages: attempt.pages,
      billing: attempt.billing,
      cost: String(attempt.cost),
      usage: attempt.usage,
      provider_request_id: attempt.providerRequestId,
      model_version: attempt.modelVersion,
      message: attempt.message,
    })),
    passing,
  };
}
