import { keepsText } from '../../../accounts/store/history-sql.ts';
import { IS_LOCKED, LOCK_WALLETS, SETTLE_HOLDS } from '../../../billing/money-sql.ts';
import { columnNames, recordset } from '../../../database/columns.ts';
import { ANNOUNCE } from '../../../webhooks/sql/announce-sql.ts';
import { Attempt } from '../../model/attempt.ts';
import { OcrPage } from '../../model/ocr-page.ts';
import { IS_OPEN, transitionSql } from '../../model/states.ts';
import { WITH_LAYOUTS, WITHOUT_LAYOUTS } from './layout-sql.ts';

/** What comes with each page and each attempt, beside their messages; the rest of their rows is the request's. */
const PAGE = [
  'number',
  'engine',
  'source',
  'state',
  'confidence',
  'providerLatencyMs',
  'cost',
  'code',
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
  'isUsageDoubted',
  'providerRequestId',
  'modelVersion',
  'providerFault',
  'quoteAt',
] as const satisfies readonly (keyof Attempt)[];

/** A crash of the database can have taken back the claim (see `CLAIM`): then it was not claimed again since. */
const IS_UNDER_FENCE = `(r.fence = i.fence or (r.fence = i.fence - 1 and ${transitionSql('claim', 'r').from}))`;

/** When the database says that it ended. */
const TIMES = 'r.finished_at, r.cancelled_at, r.cancel_requested_at';

/** What messages quote may cite the page: where texts are not kept it is left out. */
const MESSAGES = 'message text, message_unkept text';

function message(row: string): string {
  return `case when d.history then ${row}.message else coalesce(${row}.message_unkept, ${row}.message) end`;
}

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
function settle(announcement: string, { dequeues = false, layouts = WITHOUT_LAYOUTS } = {}): string {
  return `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, fence int, unbinds boolean, status text, outcome text, error_code text, provider_error text, engine text,
      charge bigint, kind text, pages int, pages_total int, warnings jsonb, warning text, metadata jsonb,
      provider_error_unkept text, warnings_unkept jsonb, warning_unkept text, metadata_unkept jsonb,
      applied_settings jsonb, preview text, confidence real, provider_latency_ms int, document_ms int, render_ms int, wall_times jsonb, page_rows json, attempts json,
      webhook_url text, passing text, cancelled boolean, document_hash text${layouts.columns})
  ), ${LOCK_WALLETS},
  mine as materialized (
    select r.id, ${KEEPS_TEXT} and not r.discard as keeps from ocr_request r
    where r.id = any(array(select i.id from item i join locked l on l.account_id = i.account_id)) and r.${IS_OPEN}
    for update skip locked
  ),
  ended as (
    update ocr_request r set
      status = i.status, outcome = i.outcome, error_code = i.error_code,
      provider_error = case when m.keeps then i.provider_error else coalesce(i.provider_error_unkept, i.provider_error) end,
      engine = i.engine, cost = i.charge, pages = i.pages, pages_total = i.pages_total,
      warnings = case when m.keeps then i.warnings else coalesce(i.warnings_unkept, i.warnings) end,
      warning = case when m.keeps then i.warning else coalesce(i.warning_unkept, i.warning) end,
      metadata = case when m.keeps then i.metadata else coalesce(i.metadata_unkept, i.metadata) - 'possibleDuplicate' end,
      applied_settings = i.applied_settings, preview = case when m.keeps then i.preview end, text_retained = m.keeps,
      confidence = i.confidence, provider_latency_ms = i.provider_latency_ms, document_ms = i.document_ms,
      render_ms = i.render_ms, wall_times = i.wall_times,
      document_hash = case when m.keeps then coalesce(i.document_hash, r.document_hash) end,
      idempotency_key = case when not i.unbinds and (i.error_code is null or r.mode = 'async') then r.idempotency_key end,
      lease_owner = null, lease_expires_at = null, starts = r.starts + i.fence - r.fence, fence = i.fence,
      finished_at = now()${dequeues ? ', cancelled_at = case when i.cancelled then now() end' : ''}
    from item i join mine m on m.id = i.id
    where r.id = any(array(select id from mine)) and r.id = i.id and ${IS_UNDER_FENCE} and r.${IS_OPEN}
    returning i.n, r.id, r.account_id, r.hold, r.started_at, r.trace, r.text_retained as history, ${TIMES}
  ),
  done as materialized (
    select i.n, i.id, e.account_id, e.hold, e.started_at, i.charge, i.kind, i.pages, e.history, e.finished_at, e.cancelled_at, e.cancel_requested_at, i.page_rows, i.attempts,
      i.engine, i.outcome, i.webhook_url, e.trace, i.passing${layouts.picked}
    from item i join ended e on e.n = i.n
  ), ${SETTLE_HOLDS}, ${announcement}
  page_rows as (
    insert into ocr_page (request_id, text, message, ${columnNames(OcrPage, PAGE)})
    select d.id, case when d.history then p.text end, ${message('p')}, ${columnNames(OcrPage, PAGE, 'p')}
    from done d cross join lateral json_to_recordset(d.page_rows) as p(text text, ${MESSAGES}, ${recordset(OcrPage, PAGE)})
  ),
  attempt_rows as (
    insert into attempt (request_id, started_at, finished_at, message, ${columnNames(Attempt, ATTEMPT)})
    select d.id, coalesce(d.started_at, now()), now(), ${message('a')}, ${columnNames(Attempt, ATTEMPT, 'a')}
    from done d cross join lateral json_to_recordset(d.attempts) as a(${MESSAGES}, ${recordset(Attempt, ATTEMPT)})
  ),
${layouts.rows}  passed as (
    ${layouts.passed}
  ),
  ${dequeues ? 'dequeued as (delete from queued_request where request_id = any(array(select id from done))),' : ''}
  journal as (delete from job_page where request_id = any(array(select id from done))),
  emptied as (delete from stored_document where request_id = any(array(select id from done)))
  select i.n, d.history, ${IS_LOCKED} as locked, b.status, b.history as history_before,
    l.account_id is not null as "hasWallet", b.open,
    coalesce(d.finished_at, b.finished_at) as finished_at, coalesce(d.cancelled_at, b.cancelled_at) as cancelled_at,
    coalesce(d.cancel_requested_at, b.cancel_requested_at) as cancel_requested_at
  from item i left join done d on d.n = i.n left join locked l on l.account_id = i.account_id
  left join lateral (
    select r.status, r.text_retained as history, r.${IS_OPEN} as open, ${TIMES} from ocr_request r
    where d.n is null and r.id = i.id and ${IS_UNDER_FENCE}) b on true
  order by i.n`;
}

/** What could announce, or end what waits, costs more although it does not: most requests go without. */
const SETTLE = { name: 'settle-requests', text: settle('') };
const SETTLE_AND_ANNOUNCE = { name: 'settle-and-announce-requests', text: settle(`${ANNOUNCE},`) };
const SETTLE_QUEUED = { name: 'settle-queued-requests', text: settle(`${ANNOUNCE},`, { dequeues: true }) };
/** Likewise for requests that do not ask for their pages; what asks for them may be cancelled, too. */
const SETTLE_WITH_LAYOUTS = { name: 'settle-with-layouts', text: settle('', { layouts: WITH_LAYOUTS }) };
const SETTLE_ALL = {
  name: 'settle-all-with-layouts',
  text: settle(`${ANNOUNCE},`, { dequeues: true, layouts: WITH_LAYOUTS }),
};

interface Needs {
  readonly announces: boolean;
  /** One of them may wait in the queue, or was cancelled. */
  readonly dequeues: boolean;
  readonly hasLayouts: boolean;
}

/** The least that does it. */
export function settleStatement({ announces, dequeues, hasLayouts }: Needs): typeof SETTLE {
  if (hasLayouts) return announces || dequeues ? SETTLE_ALL : SETTLE_WITH_LAYOUTS;
  if (dequeues) return SETTLE_QUEUED;
  return announces ? SETTLE_AND_ANNOUNCE : SETTLE;
}
