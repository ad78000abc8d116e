import { BUDGET_LEFT, FITS_BUDGET, LOCK_BUDGETS, TAKE_BUDGETS } from '../../../billing/limits/key-budget-sql.ts';
import { IS_LOCKED, LOCK_WALLETS, TAKE_HOLDS } from '../../../billing/money-sql.ts';
import { transitionSql } from '../../model/states.ts';
import { boundRequest, KEYS_ARE_COPIED } from '../find.ts';
import { NOW_US } from '../queue-levels.ts';

/** Parts of the statement that only some requests need: the others are accepted by a statement without them. */
interface Variant {
  /** Writes `discard`, for requests of which nothing is to be kept. */
  readonly discards?: boolean;
  /** Looks whether the candidate was accepted by an earlier try, or its key is bound to another request. */
  readonly looksUp?: boolean;
  /** Checks and holds the spending limits of keys. */
  readonly limits?: boolean;
}

/**
 * Binds the idempotency key, holds the money, stores the document and, where the work starts at once, takes the lease: one
 * statement, one commit, for all candidates that wait. A candidate whose key is taken is left out. Most keys are new, so keys
 * are looked up only for candidates that were left out or refused: these are sent again with a look-up, which finds the request
 * that has the key, or the candidate itself where only the answer was lost. While the keys of requests from earlier versions are
 * being copied (`idempotency_mark`), every key is looked up.
 *
 * The acceptance of a synchronous request need not wait for the disk: its caller is told nothing before the end, and the commit
 * of its settlement makes both durable. A crash of the database in between undoes acceptance and hold, and the caller is asked
 * to send the request again.
 */
function accept({ discards = false, looksUp = false, limits = false }: Variant): string {
  return `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, key_id text, idempotency_key text, fingerprint text, engine text, mode text,
      effective jsonb, warnings jsonb, pages_total int, hold bigint, token_priced boolean,
      lease_owner text, level int, job_id text, prices jsonb, document_at int, document_length int, discard boolean, trace text)
  ), ${LOCK_WALLETS},${limits ? `${LOCK_BUDGETS},` : ''}
  known as (${looksUp ? KNOWN : NOTHING_KNOWN}),
  fresh as (
    select i.*, sum(i.hold) over (partition by i.account_id order by i.n) as upto${limits ? ', sum(i.hold) over (partition by i.key_id order by i.n) as key_upto' : ''}
    from item i ${looksUp ? 'where not exists (select from known k where k.n = i.n)' : ''}
  ),
  affordable as materialized (
    select f.*${limits ? ', b.term as budget_term' : ''} from fresh f join locked l on l.account_id = f.account_id${limits ? ' left join budget b on b.key_id = f.key_id' : ''}
    where not l.closed and f.upto <= l.available and not (f.token_priced and l.owed > 0)${limits ? ` and ${FITS_BUDGET}` : ''}
  ),
  bound as (
    insert into idempotency_key (account_id, key, request_id)
    select account_id, idempotency_key, id from affordable where idempotency_key is not null and ${BINDS_KEYS}${looksUp ? '' : ` and ${KEYS_ARE_COPIED}`}
    on conflict do nothing returning request_id
  ),
  inserted as (
    insert into ocr_request (id, account_id, key_id, idempotency_key, fingerprint, requested_engine, engine, mode, effective,
      status, outcome, warnings, pages_total, hold, lease_owner, lease_expires_at, fence, starts, started_at, job_id, prices, trace${discards ? ', discard' : ''}${limits ? ', budget_term' : ''})
    select f.id, f.account_id, f.key_id, f.idempotency_key, f.fingerprint, f.engine, f.engine, f.mode, f.effective,
      case when f.lease_owner is null then ${transitionSql('enqueue').to} else ${transitionSql('start').to} end, 'processing', f.warnings, f.pages_total, f.hold,
      f.lease_owner, case when f.lease_owner is null then null else now() + $3::interval end,
      case when f.lease_owner is null then 0 else 1 end, case when f.lease_owner is null then 0 else 1 end,
      case when f.lease_owner is null then null else now() end, f.job_id, f.prices, f.trace${discards ? ', f.discard' : ''}${limits ? ', f.budget_term' : ''}
    from affordable f where f.idempotency_key is null or f.id in (select request_id from bound)
    on conflict do nothing
    returning id
  ),
  taken as (select f.* from affordable f join inserted i on i.id = f.id), ${TAKE_HOLDS},${limits ? `${TAKE_BUDGETS},` : ''}
  queued as (
    insert into queued_request (request_id, engine, account_id, level, seq)
    select id, engine, account_id, level, ${NOW_US} from taken where level is not null
  ),
  documents as (
    insert into stored_document (request_id, bytes)
    select id, substring($2::bytea from document_at + 1 for document_length) from taken
    where document_length > 0
  )
  select i.n, k.id as known_id, k.status, k.fence, k.lease_owner, t.id is not null as accepted, l.available,
    coalesce(l.owed, 0) as owed, coalesce(l.closed, false) as closed, ${IS_LOCKED} as locked, set_config('synchronous_commit', $4, true)${limits ? LIMIT_COLUMNS : ''}
  from item i left join known k on k.n = i.n left join taken t on t.id = i.id
  left join locked l on l.account_id = i.account_id${limits ? ' left join budget b on b.key_id = i.key_id' : ''} order by i.n`;
}

const LIMIT_COLUMNS = `,
    b.amount as limit_amount, b.period as limit_period, b.ends_at as limit_ends_at, ${BUDGET_LEFT} as limit_left`;

/**
 * Always true. Its setting tells the trigger, which binds keys for processes of earlier versions, that this statement has
 * bound them.
 */
const BINDS_KEYS = `(select set_config('ocr_router.binds_keys', 'on', true)) = 'on'`;

const KNOWN = `
    select i.n, r.id, r.status, r.fence, r.lease_owner from item i cross join lateral (
      (select id, status, fence, lease_owner from ocr_request where id = i.id)
      union all
      (select id, status, fence, lease_owner from ocr_request
       where id = ${boundRequest('i.account_id', 'i.idempotency_key')} offset 0)
      limit 1) r
  `;
const NOTHING_KNOWN =
  'select null::int as n, null::text as id, null::text as status, null::int as fence, null::text as lease_owner where false';

/** The variants that are used. */
const STATEMENTS = {
  plain: { name: 'accept-requests', text: accept({}) },
  discarded: { name: 'accept-discarded-requests', text: accept({ discards: true }) },
  lookedUp: { name: 'accept-requests-again', text: accept({ looksUp: true }) },
  limited: { name: 'accept-limited-requests', text: accept({ discards: true, looksUp: true, limits: true }) },
  discardedLookedUp: { name: 'accept-discarded-requests-again', text: accept({ discards: true, looksUp: true }) },
};

/** The smallest statement that does what the candidates need. Keys with a limit are few: their statement does everything. */
export function acceptStatement({ discards, looksUp, limits }: Required<Variant>): { name: string; text: string } {
  if (limits) return STATEMENTS.limited;
  if (looksUp) return discards ? STATEMENTS.discardedLookedUp : STATEMENTS.lookedUp;
  return discards ? STATEMENTS.discarded : STATEMENTS.plain;
}
