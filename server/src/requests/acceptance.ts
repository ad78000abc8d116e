import { LOCK_WALLETS, TAKE_HOLDS } from '../billing/money-sql.ts';
import { Gather } from '../database/gather.ts';
import type { Lane } from '../database/lane.ts';
import type { NanoUsd } from '../database/money.ts';
import { type Pool, query } from '../database/pool.ts';
import type { OcrRequest } from './ocr-request.ts';

/** A request that wants to be accepted. */
export interface Candidate {
  readonly request: OcrRequest;
  readonly hold: NanoUsd;
  /** The document to store with the request; null for a URL, and where the process that starts the work has it. */
  readonly bytes: Buffer | null;
  /** Blocked while the account owes anything. */
  readonly tokenPriced: boolean;
  /** This process starts the work at once: its lease is then part of acceptance. */
  readonly starts: boolean;
}

export type Acceptance =
  | { readonly kind: 'accepted' }
  /** The account's key is bound already, to this request. */
  | { readonly kind: 'known'; readonly requestId: string }
  | { readonly kind: 'refused'; readonly reason: 'balance' | 'owed'; readonly available: NanoUsd };

/**
 * (Nobody is told that a synchronous request was accepted before it has ended, so its acceptance need not wait for the
 * disk: the commit that ends it makes both durable. A crash of the database in between takes acceptance and hold back,
 * and the caller is told to send it again.)
 *
 * Claims the idempotency key, reserves the money, stores the document and, where the work starts at once, takes the
 * lease: one statement, one commit, for all candidates that wait.
 */
const ACCEPT = {
  name: 'accept-requests',
  text: `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, key_id text, idempotency_key text, fingerprint text, engine text, mode text,
      effective jsonb, warnings jsonb, pages_total int, hold bigint, token_priced boolean,
      lease_owner text, job_id text, document_at int, document_length int)
  ), ${LOCK_WALLETS},
  known as (
    select i.n, r.id from item i cross join lateral (
      select id from ocr_request where account_id = i.account_id and idempotency_key = i.idempotency_key offset 0) r
  ),
  fresh as (
    select i.*, sum(i.hold) over (partition by i.account_id order by i.n) as upto
    from item i where not exists (select from known k where k.n = i.n)
  ),
  inserted as (
    insert into ocr_request (id, account_id, key_id, idempotency_key, fingerprint, requested_engine, engine, mode, effective,
      status, outcome, warnings, pages_total, hold, lease_owner, lease_expires_at, fence, starts, started_at, job_id)
    select f.id, f.account_id, f.key_id, f.idempotency_key, f.fingerprint, f.engine, f.engine, f.mode, f.effective,
      case when f.lease_owner is null then 'queued' else 'processing' end, 'processing', f.warnings, f.pages_total, f.hold,
      f.lease_owner, case when f.lease_owner is null then null else now() + $3::interval end,
      case when f.lease_owner is null then 0 else 1 end, case when f.lease_owner is null then 0 else 1 end,
      case when f.lease_owner is null then null else now() end, f.job_id
    from fresh f join locked l on l.account_id = f.account_id
    where f.upto <= l.available and not (f.token_priced and l.owed > 0)
    on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing
    returning id
  ),
  taken as (select f.* from fresh f join inserted i on i.id = f.id), ${TAKE_HOLDS},
  documents as (
    insert into stored_document (request_id, bytes)
    select id, substring($2::bytea from document_at + 1 for document_length) from taken
    where document_length > 0
  )
  select i.n, k.id as known_id, t.id is not null as accepted, l.available, coalesce(l.owed, 0) as owed,
    set_config('synchronous_commit', $4, true)
  from item i left join known k on k.n = i.n left join taken t on t.id = i.id
  left join locked l on l.account_id = i.account_id order by i.n`,
};

interface Row {
  n: number;
  known_id: string | null;
  accepted: boolean;
  available: bigint | null;
  owed: bigint;
}

/** Accepts requests, gathered: what waits while a statement runs goes into the next one. */
export class AcceptanceDesk {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #gather: Gather<Candidate, Acceptance | 'again'>;

  constructor(pool: Pool, options: { owner: string; leaseMs: number; lane: Lane }) {
    this.#pool = pool;
    this.#owner = options.owner;
    this.#leaseMs = options.leaseMs;
    this.#gather = new Gather((candidates) => this.#accept(candidates), { maxItems: 32, lane: options.lane });
  }

  async accept(candidate: Candidate): Promise<Acceptance> {
    for (;;) {
      const answer = await this.#gather.add(candidate);
      if (answer !== 'again') return answer;
    }
  }

  async #accept(candidates: Candidate[]): Promise<(Acceptance | 'again')[]> {
    const { items, blob } = this.#pack(candidates);
    const told = candidates.some(({ request }) => request.mode === 'async');
    const rows = await query<Row>(this.#pool, ACCEPT, [
      items,
      blob,
      `${this.#leaseMs} milliseconds`,
      told ? 'on' : 'off',
    ]);
    const left = new Map<string, NanoUsd>();
    for (const [n, { request, hold }] of candidates.entries()) {
      const row = rows[n];
      if (!row) throw new Error('acceptance lost a request');
      const before = left.get(request.accountId) ?? row.available ?? 0n;
      left.set(request.accountId, row.accepted ? before - hold : before);
    }
    return candidates.map((candidate, n) =>
      judge(candidate, rows[n] as Row, left.get(candidate.request.accountId) ?? 0n),
    );
  }

  #pack(candidates: Candidate[]): { items: string; blob: Buffer } {
    const claimed = new Set<string>();
    let at = 0;
    const documents: Buffer[] = [];
    const items = candidates.map(({ request, hold, bytes, tokenPriced, starts }, n) => {
      // Two calls with one key in the same batch: the second goes in without effect and meets the first next time.
      const claim = `${request.accountId} ${request.idempotencyKey}`;
      const twice = request.idempotencyKey !== null && claimed.has(claim);
      claimed.add(claim);
      const item = {
        n,
        id: request.id,
        account_id: request.accountId,
        key_id: request.keyId,
        idempotency_key: request.idempotencyKey,
        fingerprint: request.fingerprint,
        engine: request.requestedEngine,
        mode: request.mode,
        effective: request.effective,
        warnings: request.notes,
        pages_total: request.pagesTotal,
        hold: twice ? String(IMPOSSIBLE) : String(hold),
        token_priced: tokenPriced,
        lease_owner: starts ? this.#owner : null,
        job_id: request.jobId,
        document_at: at,
        document_length: twice ? 0 : (bytes?.length ?? 0),
      };
      if (bytes && !twice) {
        documents.push(bytes);
        at += bytes.length;
      }
      return item;
    });
    return { items: JSON.stringify(items), blob: Buffer.concat(documents) };
  }
}

/** More than any balance: an item with this hold is never inserted. */
const IMPOSSIBLE = 9_000_000_000_000_000_000n;

/**
 * What the statement's row means. A candidate that was passed over although its hold would fit (it stood behind a
 * larger one, or lost a race for its key) tries again: each refusal is exact.
 */
function judge(candidate: Candidate, row: Row, left: NanoUsd): Acceptance | 'again' {
  if (row.known_id) return { kind: 'known', requestId: row.known_id };
  if (row.accepted) return { kind: 'accepted' };
  if (row.available === null) throw new Error(`account ${candidate.request.accountId} has no wallet`);
  if (candidate.tokenPriced && row.owed > 0n) return { kind: 'refused', reason: 'owed', available: left };
  if (candidate.hold > left) return { kind: 'refused', reason: 'balance', available: left };
  return 'again';
}
