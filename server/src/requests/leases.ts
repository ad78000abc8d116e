import { type Pool, query, transaction } from '../database/pool.ts';
import type { Engine } from '../engines/engine.ts';
import { newId } from '../ids.ts';
import { REQUEST_COLUMNS, toRequest } from './lookup.ts';
import type { OcrRequest } from './ocr-request.ts';

/** A request that was begun this often and never ended is given up. */
const MAX_STARTS = 3;

/** Accounts whose last turn is remembered. */
const REMEMBERED = 200;
/** Looked at beyond what is wanted, an account: others may be claiming the same ones. */
const SPARE = 32;
/** Documents up to this size come with the claim; many larger ones at once would fill the memory. */
const SMALL_BYTES = 65_536;

/** A request under this process's lease, with its document where that is small. */
export interface Claimed {
  readonly request: OcrRequest;
  readonly bytes: Buffer | null;
}

/**
 * Accounts take turns: the first of each account that waits, then the second ones, and so on; what an account has at
 * work already counts as turns it has had, and of equals the one that this process served longest ago ($5, newest last)
 * comes first. The accounts in the queue are found by hopping along the index.
 *
 * A claim need not wait for the disk: a crash of the database that takes it back only has the request run again, and of
 * two that hold it then, the first to end it does.
 */
const CLAIM = {
  name: 'lease-claim',
  text: `
  with recursive account as (
    (select account_id from ocr_request where status = 'queued' and requested_engine = $1
     order by account_id limit 1)
    union all
    select (select q.account_id from ocr_request q
            where q.status = 'queued' and q.requested_engine = $1 and q.account_id > a.account_id
            order by q.account_id limit 1)
    from account a where a.account_id is not null
  ),
  at_work as (
    select account_id, count(*) as requests from ocr_request
    where status = 'processing' and requested_engine = $1 group by account_id
  ),
  waiting as materialized (
    select q.id, coalesce(w.requests, 0) + row_number() over (partition by q.account_id order by q.id) as turn,
      coalesce(array_position($5::uuid[], q.account_id), 0) as served
    from account a
    cross join lateral (
      select id, account_id from ocr_request
      where status = 'queued' and requested_engine = $1 and account_id = a.account_id
      order by id limit $2::int + ${SPARE}) q
    left join at_work w on w.account_id = q.account_id
    where a.account_id is not null
  ),
  next as materialized (
    select r.id, set_config('synchronous_commit', 'off', true) from ocr_request r join waiting w on w.id = r.id
    where r.id = any(array(select id from waiting)) and r.status = 'queued'
    order by w.turn, w.served, w.id limit $2 for update of r skip locked
  )
  update ocr_request r set status = 'processing', lease_owner = $3, lease_expires_at = now() + $4::interval,
    fence = r.fence + 1, starts = r.starts + 1, started_at = now()
  where r.id = any(array(select id from next)) returning ${REQUEST_COLUMNS},
    (select d.bytes from stored_document d where d.request_id = r.id and octet_length(d.bytes) <= ${SMALL_BYTES}) as bytes`,
};

const LOST_ATTEMPTS = {
  name: 'lease-lost-attempts',
  text: `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, billing, message)
         select *, now(), 'lost', 'none', 'the process that ran it ended'
         from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])`,
};

const RENEW = {
  name: 'lease-renew',
  text: `update ocr_request set lease_expires_at = now() + $3::interval
         where id = any($1::text[]) and lease_owner = $2 and status = 'processing' returning id`,
};

const HAND_BACK = {
  name: 'lease-hand-back',
  text: `update ocr_request set status = 'queued', lease_owner = null, lease_expires_at = null, starts = starts - 1
         where id = $1 and fence = $2 and status = 'processing'`,
};

/** An expired lease means that its holder died: the attempt costs the caller nothing, and the request runs again. */
const EXPIRE = {
  name: 'lease-expire',
  text: `with expired as (
           select id from ocr_request
           where status = 'processing' and lease_expires_at < now() and starts < ${MAX_STARTS}
           order by id limit 100 for update skip locked
         )
         update ocr_request r set status = 'queued', lease_owner = null, lease_expires_at = null, fence = r.fence + 1
         from expired where r.id = expired.id returning r.id, r.requested_engine as engine, r.starts, r.started_at`,
};

const EXHAUSTED = {
  name: 'lease-exhausted',
  text: `select ${REQUEST_COLUMNS} from ocr_request r
         where r.status = 'processing' and r.lease_expires_at < now() and r.starts >= ${MAX_STARTS} limit 100`,
};

const QUEUED_ENGINES = {
  name: 'lease-queued-engines',
  text: `select distinct requested_engine as engine from ocr_request where status = 'queued'`,
};

/** Whoever waited has it by now. */
const FORGET_PASSED = {
  name: 'lease-forget-passed',
  text: `delete from passing_text where created_at < now() - interval '5 minutes'`,
};

/** Who works on what: leases with an owner, an end and a fencing number that rises with every holder. */
export class Leases {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #duration: string;
  /** Accounts by when this process last took a request of theirs, newest last. */
  readonly #served = new Set<string>();

  constructor(pool: Pool, options: { owner: string; leaseMs: number }) {
    this.#pool = pool;
    this.#owner = options.owner;
    this.#duration = `${options.leaseMs} milliseconds`;
  }

  /** Takes up to `most` queued requests of this engine, account by account in turn. */
  async claim({ id }: Engine, most: number): Promise<Claimed[]> {
    const values = [id, most, this.#owner, this.#duration, [...this.#served]];
    const rows = await query<Partial<OcrRequest> & { bytes: Buffer | null }>(this.#pool, CLAIM, values);
    const claimed = rows.map(({ bytes, ...row }) => ({ request: toRequest(row), bytes }));
    for (const { request } of claimed) this.#noteServed(request.accountId);
    return claimed.sort((a, b) => (a.request.id < b.request.id ? -1 : 1));
  }

  #noteServed(accountId: string): void {
    this.#served.delete(accountId);
    this.#served.add(accountId);
    const [oldest] = this.#served;
    if (this.#served.size > REMEMBERED && oldest !== undefined) this.#served.delete(oldest);
  }

  /** Extends the leases; answers which of the requests are still this process's. */
  async renew(ids: readonly string[]): Promise<Set<string>> {
    const rows = await query<{ id: string }>(this.#pool, RENEW, [ids, this.#owner, this.#duration]);
    return new Set(rows.map((row) => row.id));
  }

  async handBack(request: OcrRequest): Promise<void> {
    await query(this.#pool, HAND_BACK, [request.id, request.fence]);
  }

  /** Frees requests whose holder is gone, and notes the attempts that were lost with it; answers how many. */
  async expire(): Promise<number> {
    return transaction(this.#pool, async (client) => {
      const lost = await query<{ id: string; engine: string; starts: number; started_at: Date }>(client, EXPIRE, []);
      if (lost.length === 0) return 0;
      await query(client, LOST_ATTEMPTS, [
        lost.map(() => newId('att_')),
        lost.map(({ id }) => id),
        lost.map(({ starts }) => starts),
        lost.map(({ engine }) => engine),
        lost.map(({ started_at }) => started_at),
      ]);
      return lost.length;
    });
  }

  /** Requests that were begun too often and whose last holder is gone, too. */
  async exhausted(): Promise<OcrRequest[]> {
    return (await query<Partial<OcrRequest>>(this.#pool, EXHAUSTED, [])).map(toRequest);
  }

  /** Removes texts that were on their way to callers in other processes. */
  async forgetPassed(): Promise<void> {
    await query(this.#pool, FORGET_PASSED, []);
  }

  async queuedEngines(): Promise<string[]> {
    return (await query<{ engine: string }>(this.#pool, QUEUED_ENGINES, [])).map((row) => row.engine);
  }
}
