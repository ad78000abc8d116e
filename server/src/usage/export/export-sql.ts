import { SHOWN_OF, SHOWN_PAGE, WITH_LIFE } from '../../requests/store/texts/left-sql.ts';
import { SHOWN_DELIVERY } from '../../webhooks/sql/left-sql.ts';
import { APPLIED_SETTINGS, RESULT_METADATA, SHOWN } from './export-result-sql.ts';

/** Nano-USD as a JSON number of USD, exactly. */
const usd = (nano: string) => `trim_scale(${nano} / 1000000000::numeric)`;

export const ACCOUNT = {
  name: 'export-account',
  text: `
  select json_build_object('account_id', a.id, 'email', a.email, 'tier', a.tier, 'history', a.history,
    'text_days', a.text_days, 'created_at', a.created_at, 'balance_usd', ${usd('(w.posted - w.held)')},
    'held_usd', ${usd('w.held')}, 'owed_usd', ${usd('w.owed')}, 'exported_at', now())::text as line,
    coalesce((select max(t.id) from ledger_transfer t where t.account_id = a.id), 0)::text as "lastTransfer",
    coalesce((select max(r.id) from ocr_request r where r.account_id = a.id and r.finished_at is not null), '') as "lastRequest"
  from account a join wallet w on w.account_id = a.id where a.id = $1`,
};

/** One file: its rows in the order of their keys, each as one line of JSON. $1: account, $2: the key before, $3: how many, $4: the last one. */
export interface ExportedTable {
  readonly file: string;
  readonly statement: { readonly name: string; readonly text: string };
  /** The key before the first. */
  readonly first: string;
}

const KEYS: ExportedTable = {
  file: 'keys',
  first: '',
  statement: {
    name: 'export-keys',
    text: `
    select id as key, json_build_object('key_id', id, 'label', label, 'prefix', prefix, 'scopes', scopes,
      'created_at', created_at, 'last_used_at', last_used_at, 'revoked_at', revoked_at)::text as line
    from api_key where account_id = $1 and id > $2 and id < $4 order by id limit $3`,
  },
};

const WEBHOOKS: ExportedTable = {
  file: 'webhooks',
  first: '',
  statement: {
    name: 'export-webhooks',
    text: `
    select id as key, json_build_object('webhook_id', id, 'url', url, 'label', label, 'events', events,
      'is_active', is_active, 'created_at', created_at)::text as line
    from webhook where account_id = $1 and id > $2 and id < $4 order by id limit $3`,
  },
};

const DELIVERIES: ExportedTable = {
  file: 'deliveries',
  first: '',
  statement: {
    name: 'export-deliveries',
    text: `
    select id as key, json_build_object('delivery_id', id, 'webhook_id', webhook_id, 'request_id', request_id, 'url', ${SHOWN_DELIVERY.url},
      'event', event, 'status', status, 'attempt', attempt, 'response_code', response_code, 'latency_ms', latency_ms,
      'error', ${SHOWN_DELIVERY.error}, 'created_at', created_at, 'finished_at', finished_at)::text as line
    from webhook_delivery d where account_id = $1 and id > $2 and id < $4 order by id limit $3`,
  },
};

/** Files whose keys are texts; `\uffff` is behind all of them. */
export const SMALL_TABLES: readonly ExportedTable[] = [KEYS, WEBHOOKS, DELIVERIES];
export const BEHIND_ALL = '\uffff';

export const TRANSFERS: ExportedTable = {
  file: 'ledger',
  first: '0',
  statement: {
    name: 'export-ledger',
    text: `
    select id::text as key, json_build_object('transfer_id', id, 'kind', kind, 'debit', debit, 'credit', credit,
      'amount_usd', ${usd('amount')}, 'request_id', request_id, 'attempt_id', attempt_id, 'reason', reason,
      'created_at', created_at)::text as line
    from ledger_transfer where account_id = $1 and id > $2::bigint and id <= $4::bigint order by id limit $3`,
  },
};

/** Ended requests, without their pages; `size` is what the pages' texts take. */
export const REQUESTS = {
  name: 'export-requests',
  text: `
  select r.id as key, json_build_object('request_id', r.id, 'job_id', r.job_id, 'key_id', r.key_id,
    'idempotency_key', r.idempotency_key, 'mode', r.mode, 'requested_engine', r.requested_engine, 'engine', r.engine,
    'status', r.status, 'outcome', r.outcome, 'error_code', r.error_code, 'provider_error', s.provider_error,
    'pages', r.pages, 'pages_total', r.pages_total, 'cost_debited', ${usd('r.cost')}, 'refunded_usd', ${usd('r.refunded')},
    'confidence', r.confidence, 'warnings', s.warnings, 'warning', s.warning, 'metadata', ${RESULT_METADATA},
    'applied_settings', ${APPLIED_SETTINGS}, 'url', s.effective -> 'url', 'webhook_url', s.effective -> 'webhookUrl',
    'native_settings', s.effective -> 'native', 'created_at', r.created_at, 'started_at', r.started_at,
    'finished_at', r.finished_at, 'cancelled_at', r.cancelled_at, 'deleted_at', r.deleted_at)::text as line,
    (select coalesce(sum(octet_length(p.text)), 0)::int from ocr_page p
      where p.request_id = r.id and p.request_id > $2 and p.request_id <= $4) as size
  from ocr_request r ${WITH_LIFE} ${SHOWN}
  where r.account_id = $1 and r.finished_at is not null and r.id > $2 and r.id <= $4 order by r.id limit $3`,
};

/**
 * The pages of requests, by request, with the properties that the API's pages have; their texts only where they may be
 * read. Positions are in a file of their own. (`cost` is the former name of `cost_usd`.)
 */
export const PAGES = {
  name: 'export-pages',
  text: `
  select p.request_id as id, json_agg(json_build_object('page', p.number, 'state', p.state, 'engine', p.engine,
    'source', p.source, 'confidence', p.confidence, 'cost', ${usd('p.cost')}, 'cost_usd', ${usd('p.cost')},
    'provider_latency_ms', p.provider_latency_ms, 'code', p.code, 'message', ${SHOWN_PAGE.message},
    'text', case when r.text_retained and r.keeps then p.text end,
    'width', l.width, 'height', l.height, 'unit', l.unit, 'dpi', l.dpi, 'text_angle', l.text_angle,
    'positions', l.positions, 'located_by', l.located_by)
    order by p.number)::text as pages
  from ${SHOWN_OF} r
    join ocr_page p on p.request_id = r.id and p.request_id between $2 and $3
    left join page_layout l on r.text_retained and r.keeps and l.request_id = p.request_id and l.number = p.number and l.request_id between $2 and $3
  group by p.request_id`,
};
