import type { PoolClient } from 'pg';
import { announcementOf } from './announcements.ts';
import { query } from './statement.ts';
import type { DemoRequest } from './traffic.ts';
import { accountId, hookId, keyId } from './write-cast.ts';

/**
 * Requests that have ended, with all that the product writes of them, at the times at which they happened. Money moves
 * as at a settlement: from the wallet, and what it does not cover is owed. Those that are there already change nothing.
 */
const WRITE = {
  name: 'demo-traffic',
  text: `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, key_id text, idempotency_key text, engine text, mode text, effective jsonb, status text,
      outcome text, error_code text, provider_error text, pages int, pages_total int, applied jsonb, preview text,
      history boolean, hold bigint, confidence real, cost bigint, kind text, latency_ms int, document_ms int, render_ms int,
      created_at timestamptz, started_at timestamptz, finished_at timestamptz, attempt_id text, attempt text,
      billing text, message text, texts jsonb, page_cost bigint, delivery json)
  ),
  inserted as (
    insert into ocr_request (id, account_id, key_id, idempotency_key, requested_engine, engine, mode, effective, status, outcome,
      error_code, provider_error, pages, pages_total, applied_settings, preview, text_retained, hold, confidence, cost,
      provider_latency_ms, document_ms, render_ms, wall_times, fence, starts, created_at, started_at, finished_at)
    select id, account_id, key_id, idempotency_key, engine, engine, mode, effective, status, outcome, error_code,
      provider_error, pages, pages_total, applied, preview, history, hold, confidence, cost, latency_ms, document_ms,
      render_ms, jsonb_build_object('engineMs', coalesce(latency_ms, 0), 'renderMs', render_ms, 'placeMs', 0), 1, 1,
      created_at, started_at, finished_at
    from item on conflict do nothing returning id
  ),
  fresh as materialized (select i.* from item i join inserted d on d.id = i.id),
  purse as materialized (
    select account_id, posted - held as free from wallet
    where account_id = any(array(select account_id from fresh)) order by account_id for update
  ),
  due as (
    select f.*, p.free, sum(f.cost) over (partition by f.account_id order by f.n) - f.cost as before
    from fresh f join purse p on p.account_id = f.account_id
  ),
  paid as materialized (select d.*, greatest(0, least(d.cost, d.free - d.before))::bigint as from_wallet from due d),
  moved as (
    update wallet w set posted = w.posted - s.paid, owed = w.owed + s.cost - s.paid, spent = w.spent + s.cost,
      requests = w.requests + s.requests, pages = w.pages + s.pages
    from (select account_id, sum(from_wallet)::bigint as paid, sum(cost)::bigint as cost, count(*) as requests,
            sum(pages)::bigint as pages from paid group by account_id) s
    where w.account_id = s.account_id
  ),
  transfers as (
    insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id, created_at)
    select account_id, kind, t.debit, case kind when 'charge' then 'revenue' else 'provider_cost' end, t.amount, id, finished_at
    from paid cross join lateral (values ('wallet', from_wallet), ('receivable', cost - from_wallet)) t(debit, amount)
    where t.amount > 0 order by finished_at
  ),
  attempts as (
    insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, pages_tried,
      billing, cost, model_version, message)
    select attempt_id, id, 1, engine, started_at, finished_at, attempt, latency_ms, pages, pages_total, billing,
      case when billing = 'settled' then cost else 0 end, 'demo', message from fresh
  ),
  pages as (
    insert into ocr_page (request_id, number, engine, source, state, text, confidence, provider_latency_ms, cost)
    select f.id, p.number, f.engine, case when f.engine = 'pdf-text' then 'text_layer' else 'engine' end, 'read',
      case when f.history then p.text end, f.confidence, f.latency_ms / f.pages, f.page_cost
    from fresh f cross join lateral jsonb_array_elements_text(f.texts) with ordinality as p(text, number)
    where f.status = 'succeeded'
  ),
  announced as (
    insert into webhook_delivery (id, account_id, webhook_id, request_id, url, origin, event, is_failure, engine, cost, body,
      status, attempt, response_code, latency_ms, error, next_attempt_at, created_at, finished_at)
    select d.id, f.account_id, d.webhook_id, f.id, d.url, d.origin, 'ocr.completed', f.status <> 'succeeded', f.engine, f.cost,
      case when f.history then d.body end, d.status, d.attempt, d.response_code, d.latency_ms, d.error, d.ended_at,
      f.finished_at, d.ended_at
    from fresh f cross join lateral json_to_record(f.delivery) as d(id text, webhook_id text, url text, origin text, body text,
      status text, attempt int, response_code int, latency_ms int, error text, ended_at timestamptz)
    where f.delivery is not null
  ),
  tries as (
    insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, response_code, latency_ms, error,
      created_at)
    select t.delivery_id, f.account_id, t.webhook_id, 1, t.attempt, t.status, t.response_code, t.latency_ms, t.error, t.at
    from fresh f cross join lateral json_to_recordset(f.delivery -> 'tries') as t(delivery_id text, webhook_id text,
      attempt int, status text, response_code int, latency_ms int, error text, at timestamptz)
    where f.delivery is not null order by t.at
  )
  select count(*)::int as written from fresh`,
};

/** Answers how many of them were new. */
export async function writeTraffic(client: PoolClient, requests: readonly DemoRequest[]): Promise<number> {
  if (requests.length === 0) return 0;
  const items = JSON.stringify(requests.map(toRow));
  const [row] = await query<{ written: number }>(client, WRITE, [items]);
  return row?.written ?? 0;
}

function toRow(request: DemoRequest, n: number): Record<string, unknown> {
  const { account, engine, status, texts } = request;
  const url = request.isUrl
    ? `https://files.${new URL(account.hook ?? 'https://demo.invalid').host}/${request.id}.pdf`
    : null;
  const kept = account.history;
  return {
    n,
    id: request.id,
    account_id: accountId(account),
    key_id: keyId(account, request.keyLabel),
    idempotency_key: `demo-${request.id.slice(4)}`,
    engine: engine.id,
    mode: request.mode,
    effective: effectiveOf(request, url),
    status,
    outcome: request.outcome,
    error_code: request.errorCode,
    provider_error: status === 'succeeded' || status === 'partial' ? null : request.message,
    pages: request.pages,
    pages_total: request.pagesTotal,
    applied: status === 'succeeded' ? { language: 'en', pageCount: request.pages, outputFormat: 'json' } : null,
    preview: kept && status === 'partial' ? (texts[0] ?? null) : null,
    history: kept,
    hold: engine.pricePerPage * request.pagesTotal,
    confidence: request.confidence,
    cost: request.cost,
    kind: request.costKind,
    latency_ms: request.latencyMs,
    document_ms: request.documentMs,
    render_ms: request.renderMs,
    created_at: new Date(request.createdAt),
    started_at: new Date(request.startedAt),
    finished_at: new Date(request.finishedAt),
    attempt_id: request.attemptId,
    attempt: request.attempt,
    billing: request.billing,
    message: request.message,
    texts,
    page_cost: engine.pricePerPage,
    delivery: announcementOf(request, hookId(account)),
  };
}

function effectiveOf({ engine, mode, account, pagesTotal }: DemoRequest, url: string | null): Record<string, unknown> {
  return {
    engine: engine.id,
    ...{ inputType: url ? 'url' : 'base64', url, mimeType: null, language: null, languageHints: null, dpi: null },
    ...{ detectTables: false, pageRange: null, pageCount: pagesTotal, native: {}, fallbackEngine: null },
    ...{ scannedHandling: 'skip', scannedHandlingGiven: false, fallback: 'off', outputFormat: 'json', mode },
    webhookUrl: mode === 'async' ? account.hook : null,
  };
}
