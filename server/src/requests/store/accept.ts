import { IS_LOCKED, LOCK_WALLETS, TAKE_HOLDS } from '../../billing/money-sql.ts';
import { Batcher } from '../../database/batcher.ts';
import { throughOutage } from '../../database/outage.ts';
import { type Pool, query } from '../../database/pool.ts';
import type { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { NanoUsd } from '../../platform/money.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { transitionSql } from '../model/states.ts';
import { NOW_US } from './queue-levels.ts';
import type { WalletRetries } from './wallet-retries.ts';

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
  /** Where it joins the queue; see queue-levels.ts. Null for what starts at once. */
  readonly level: number | null;
}

/** How long acceptance waits for a database that is away, or for a wallet that is locked. */
const PATIENCE_MS = 30_000;

export type Acceptance =
  /** `isOurs`: it is as this acceptance has left it, and this process starts the work or announces it. */
  | { readonly kind: 'accepted'; readonly isOurs: boolean }
  /** The account's key is bound already, to this request. */
  | { readonly kind: 'known'; readonly requestId: string }
  | { readonly kind: 'refused'; readonly reason: 'balance' | 'owed'; readonly available: NanoUsd };

/**
 * Claims the idempotency key, reserves the money, stores the document and, where the work starts at once, takes the
 * lease: one statement, one commit, for all candidates that wait. An item that is sent again, because its answer was
 * lost, finds itself by its id.
 *
 * The acceptance of a synchronous request need not wait for the disk: its caller hears nothing before the end, and the
 * commit that ends it makes both durable. A crash of the database in between takes acceptance and hold back, and the
 * caller is asked to send it again.
 */
function accept(discards: boolean): string {
  return `
  with item as materialized (
    select * from json_to_recordset($1::json) as t(
      n int, id text, account_id uuid, key_id text, idempotency_key text, fingerprint text, engine text, mode text,
      effective jsonb, warnings jsonb, pages_total int, hold bigint, token_priced boolean,
      lease_owner text, level int, job_id text, prices jsonb, document_at int, document_length int, sent_again boolean, discard boolean, trace text)
  ), ${LOCK_WALLETS},
  known as (
    select i.n, r.id, r.status, r.fence, r.lease_owner from item i cross join lateral (
      (select id, status, fence, lease_owner from ocr_request where i.sent_again and id = i.id)
      union all
      (select id, status, fence, lease_owner from ocr_request
       where account_id = i.account_id and idempotency_key = i.idempotency_key offset 0)
      limit 1) r
  ),
  fresh as (
    select i.*, sum(i.hold) over (partition by i.account_id order by i.n) as upto
    from item i where not exists (select from known k where k.n = i.n)
  ),
  inserted as (
    insert into ocr_request (id, account_id, key_id, idempotency_key, fingerprint, requested_engine, engine, mode, effective,
      status, outcome, warnings, pages_total, hold, lease_owner, lease_expires_at, fence, starts, started_at, job_id, prices, trace${discards ? ', discard' : ''})
    select f.id, f.account_id, f.key_id, f.idempotency_key, f.fingerprint, f.engine, f.engine, f.mode, f.effective,
      case when f.lease_owner is null then ${transitionSql('enqueue').to} else ${transitionSql('start').to} end, 'processing', f.warnings, f.pages_total, f.hold,
      f.lease_owner, case when f.lease_owner is null then null else now() + $3::interval end,
      case when f.lease_owner is null then 0 else 1 end, case when f.lease_owner is null then 0 else 1 end,
      case when f.lease_owner is null then null else now() end, f.job_id, f.prices, f.trace${discards ? ', f.discard' : ''}
    from fresh f join locked l on l.account_id = f.account_id
    where f.upto <= l.available and not (f.token_priced and l.owed > 0)
    on conflict do nothing
    returning id
  ),
  taken as (select f.* from fresh f join inserted i on i.id = f.id), ${TAKE_HOLDS},
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
    coalesce(l.owed, 0) as owed, ${IS_LOCKED} as locked, set_config('synchronous_commit', $4, true)
  from item i left join known k on k.n = i.n left join taken t on t.id = i.id
  left join locked l on l.account_id = i.account_id order by i.n`;
}

/** Only what keeps nothing says so. */
const ACCEPT = { name: 'accept-requests', text: accept(false) };
const ACCEPT_DISCARDED = { name: 'accept-discarded-requests', text: accept(true) };

interface Row {
  n: number;
  known_id: string | null;
  status: string | null;
  fence: number | null;
  lease_owner: string | null;
  accepted: boolean;
  /** Null while the wallet is not ours: `locked`, or there is none. */
  available: bigint | null;
  owed: bigint;
  locked: boolean;
}

interface Item {
  readonly candidate: Candidate;
  /** It went out before, and what became of it is not known. */
  readonly sentAgain: boolean;
}

type Answer = Acceptance | 'again' | 'locked';

const FUNDS = {
  name: 'acceptance-funds',
  text: 'select posted - held as available, owed from wallet where account_id = $1',
};

/** What an account can spend, and what it owes. */
export interface Funds {
  readonly available: NanoUsd;
  readonly owed: NanoUsd;
}

/** Accepts requests, gathered: what waits while a statement runs goes into the next one. */
export class AcceptanceStore {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #locked: WalletRetries;
  readonly #log: Log;
  readonly #batcher: Batcher<Item, Answer>;

  constructor(
    pool: Pool,
    options: { owner: string; leaseMs: number; semaphore: Semaphore; walletRetries: WalletRetries; log: Log },
  ) {
    this.#pool = pool;
    this.#owner = options.owner;
    this.#leaseMs = options.leaseMs;
    this.#locked = options.walletRetries;
    this.#log = options.log;
    const { semaphore } = options;
    this.#batcher = new Batcher((items) => this.#accept(items), { maxItems: 32, semaphore, waits: pool.waits });
  }

  /**
   * Through an outage, too: an acceptance that was committed although its answer was lost is found and goes on. Throws
   * `OutageError` when the database stays away; what became of the request is not known then.
   *
   * While the account's wallet stays locked, the candidate is another one: `whileLocked` gives it, and its error, should it
   * throw one, is the answer.
   */
  async accept(first: Candidate, whileLocked: () => Candidate = () => first): Promise<Acceptance> {
    const deadline = performance.now() + PATIENCE_MS;
    const { accountId } = first.request;
    const standing = new Standing(first, whileLocked);
    let sentAgain = false;
    const send = () =>
      standing.send((candidate) => {
        const answer = this.#batcher.add({ candidate, sentAgain });
        sentAgain = true;
        return answer;
      });
    const ask = () =>
      this.#locked.through<Acceptance | 'again'>(accountId, send, {
        limitMs: deadline - performance.now(),
        onLong: () => standing.onLocked(),
      });
    const onPause = (error: unknown, pauseMs: number) =>
      this.#log.warn({ err: error, pauseMs }, 'acceptance waits for the database');
    for (;;) {
      const answer = await throughOutage(ask, { limitMs: deadline - performance.now(), onPause });
      if (answer !== 'again') return answer;
    }
  }

  /** What the account has at this moment, without a lock. */
  async funds(accountId: string): Promise<Funds> {
    const [funds] = await query<Funds>(this.#pool, FUNDS, [accountId]);
    if (!funds) throw new Error(`account ${accountId} has no wallet`);
    return funds;
  }

  async #accept(sent: Item[]): Promise<Promise<Answer>[]> {
    const candidates = sent.map(({ candidate }) => candidate);
    const { items, blob } = this.#pack(sent);
    const told = candidates.some(({ request }) => request.mode === 'async');
    const statement = candidates.some(({ request }) => request.discard) ? ACCEPT_DISCARDED : ACCEPT;
    const rows = await query<Row>(this.#pool, statement, [
      items,
      blob,
      `${this.#leaseMs} milliseconds`,
      told ? 'on' : 'off',
    ]);
    const left = new Map<string, NanoUsd>();
    for (const [n, { request, hold }] of candidates.entries()) {
      const row = rows[n];
      const before = left.get(request.accountId) ?? row?.available ?? 0n;
      left.set(request.accountId, row?.accepted ? before - hold : before);
    }
    // From here on it is committed: what is wrong with one is that one's alone.
    return candidates.map(async (candidate, n) => {
      const row = rows[n];
      if (!row) throw new Error('acceptance lost a request');
      return judge(candidate, row, { left: left.get(candidate.request.accountId) ?? 0n, owner: this.#owner });
    });
  }

  #pack(sent: Item[]): { items: string; blob: Buffer } {
    const claimed = new Set<string>();
    let at = 0;
    const documents: Buffer[] = [];
    const items = sent.map(({ candidate, sentAgain }, n) => {
      const { request, hold, bytes, tokenPriced, starts, level } = candidate;
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
        level,
        job_id: request.jobId,
        prices: request.prices,
        document_at: at,
        document_length: twice ? 0 : (bytes?.length ?? 0),
        sent_again: sentAgain,
        discard: request.discard,
        trace: request.trace,
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

/** What is asked for; it changes between two statements only, once the wallet stays locked. */
class Standing {
  #candidate: Candidate;
  readonly #whileLocked: () => Candidate;
  #isSent = false;
  #isLocked = false;
  #refusal: { readonly error: unknown } | null = null;

  constructor(candidate: Candidate, whileLocked: () => Candidate) {
    this.#candidate = candidate;
    this.#whileLocked = whileLocked;
  }

  async send(ask: (candidate: Candidate) => Promise<Answer>): Promise<Answer> {
    if (this.#refusal) throw this.#refusal.error;
    this.#isSent = true;
    const answer = await ask(this.#candidate).finally(() => {
      this.#isSent = false;
    });
    if (answer === 'locked' && this.#isLocked) this.#change();
    return answer;
  }

  onLocked(): void {
    this.#isLocked = true;
    if (!this.#isSent) this.#change();
  }

  #change(): void {
    this.#isLocked = false;
    try {
      this.#candidate = this.#whileLocked();
    } catch (error) {
      this.#refusal = { error };
    }
  }
}

/** More than any balance: an item with this hold is never inserted. */
const IMPOSSIBLE = 9_000_000_000_000_000_000n;

/**
 * What the statement's row means. A candidate that was passed over although its hold would fit (it stood behind a
 * larger one, or lost a race for its key) tries again: each refusal is exact.
 */
function judge(candidate: Candidate, row: Row, { left, owner }: { left: NanoUsd; owner: string }): Answer {
  if (row.known_id === candidate.request.id) return { kind: 'accepted', isOurs: isAsAccepted(candidate, row, owner) };
  if (row.known_id) return { kind: 'known', requestId: row.known_id };
  if (row.accepted) return { kind: 'accepted', isOurs: true };
  if (row.available === null) {
    if (row.locked) return 'locked';
    throw new AppError(
      'internal_error',
      'The account has no wallet: an operator has to look at it. Nothing was charged.',
    );
  }
  if (candidate.tokenPriced && row.owed > 0n) return { kind: 'refused', reason: 'owed', available: left };
  if (candidate.hold > left) return { kind: 'refused', reason: 'balance', available: left };
  return 'again';
}

/** Whether a request that was accepted earlier is still where acceptance has put it. */
function isAsAccepted({ starts }: Candidate, { status, fence, lease_owner }: Row, owner: string): boolean {
  return starts ? status === 'processing' && fence === 1 && lease_owner === owner : status === 'queued' && fence === 0;
}
