import { type Pool, query, transaction } from '../../database/pool.ts';
import { newId } from '../../platform/ids.ts';
import { transitionSql } from '../model/states.ts';
import { returnToQueue } from './queue-levels.ts';

/** How many deaths of its process, with nothing else at work there, a request is given up after. */
const MOST_DEATHS = 3;
/** The suspicion from which a request is given up; see `OcrRequest.suspicion`. */
export const GIVEN_UP_FROM = MOST_DEATHS + 1;
/**
 * The lease owner of requests that are given up but not settled yet. No process has this name, so every sweep takes the owner
 * for dead.
 */
export const GIVEN_UP_OWNER = 'given up';

const REQUEUE = transitionSql('requeue', 'r');
const SEIZE = transitionSql('seize');

/** What a request becomes whose lease is taken from its owner: it waits again where `runsAgain`, else it is given up. */
function taken(runsAgain: string): string {
  return `fence = r.fence + 1,
      status = case when ${runsAgain} then ${REQUEUE.to} else ${SEIZE.to} end,
      lease_owner = case when ${runsAgain} then null else '${GIVEN_UP_OWNER}' end,
      lease_expires_at = case when ${runsAgain} then null else now() end`;
}

/** The columns of `expired`, a CTE with the requests whose lease was taken; what waits again of them; and what is answered. */
const EXPIRED = 'r.id, r.account_id, r.requested_engine, r.starts, r.started_at, r.suspicion';
const RETURNED = `returned as (
    ${returnToQueue(`expired where suspicion < ${GIVEN_UP_FROM}`)}
  )`;
const ANSWER = `select id, requested_engine as engine, starts, started_at, suspicion >= ${GIVEN_UP_FROM} as "isGivenUp" from expired`;

/** A process whose lease has run out. */
export interface DeadOwner {
  readonly owner: string;
  /** As the database wrote it, to the microsecond: a process that has renewed its lease since has another time. */
  readonly expiredAt: string;
}

const DEAD = {
  name: 'lease-dead-owners',
  text: `select owner, expires_at::text as "expiredAt" from lease_holder where expires_at < now() and owner <> $1`,
};

/**
 * Frees the requests of dead processes. The only request of a process is blamed for its death; of several each is a suspect. The
 * owner's row stays until its last request is freed. It is marked (`-infinity`) by the first pass, so that a request which another
 * session had locked is not taken for the only one by the next pass.
 */
const EXPIRE = {
  name: 'lease-expire',
  text: `
  with dead as materialized (
    select h.owner, h.expires_at from lease_holder h
    where h.owner = any($1::text[]) and h.expires_at = ($2::timestamptz[])[array_position($1::text[], h.owner)]
    for update skip locked
  ),
  held as materialized (
    select r.id, r.lease_owner, count(*) over (partition by r.lease_owner) as company from ocr_request r
    where ${REQUEUE.from} and r.lease_owner = any(array(select owner from dead))
  ),
  free as materialized (
    select r.id from ocr_request r where r.id = any(array(select id from held)) and ${REQUEUE.from}
    for update skip locked
  ),
  judged as materialized (
    select h.id, case
      when h.company = 1 and d.expires_at > '-infinity' then greatest(coalesce(r.suspicion, 1), 1) + 1
      when r.suspicion is null then 0 else greatest(r.suspicion, 1) end as suspicion
    from held h join dead d on d.owner = h.lease_owner join ocr_request r on r.id = h.id
    where h.id = any(array(select id from free))
  ),
  expired as (
    update ocr_request r set suspicion = j.suspicion, ${taken(`j.suspicion < ${GIVEN_UP_FROM}`)}
    from judged j where r.id = any(array(select id from judged)) and r.id = j.id
    returning ${EXPIRED}
  ),
  ${RETURNED},
  marked as (
    update lease_holder set expires_at = '-infinity'
    where owner = any(array(select owner from dead)) and owner = any(array(select lease_owner from held))
  ),
  gone as (
    delete from lease_holder
    where owner = any(array(select owner from dead)) and not owner = any(array(select lease_owner from held))
  )
  ${ANSWER}`,
};

/** Frees a request whose run could not be settled by its own, living process: the request itself is to blame. */
const ABANDON = {
  name: 'lease-abandon',
  text: `
  with expired as (
    update ocr_request r set suspicion = greatest(coalesce(r.suspicion, 1), 1) + 1,
      ${taken(`coalesce(r.suspicion, 1) < ${MOST_DEATHS}`)}
    where r.id = $1 and r.fence = $2 and ${REQUEUE.from}
    returning ${EXPIRED}
  ),
  ${RETURNED}
  ${ANSWER}`,
};

const LOST_ATTEMPTS = {
  name: 'lease-lost-attempts',
  text: `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, billing, message)
         select *, now(), 'lost', 'none', 'the process that ran it ended'
         from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])`,
};

/**
 * Adds a row for owners without one: processes of an older version, and those that were taken for dead and wrote once more. The
 * leases of their requests have ends of their own; the row is added once all of these have passed.
 */
const ADOPT = {
  name: 'lease-adopt',
  text: `insert into lease_holder (owner, expires_at)
         select r.lease_owner, max(r.lease_expires_at) from ocr_request r
         where ${REQUEUE.from} and r.lease_owner is not null
           and not exists (select from lease_holder h where h.owner = r.lease_owner)
         group by r.lease_owner having max(r.lease_expires_at) < now()
         on conflict (owner) do nothing`,
};

interface LostRun {
  readonly id: string;
  readonly engine: string;
  readonly starts: number;
  readonly started_at: Date;
  readonly isGivenUp: boolean;
}

export interface Expired {
  /** Requests that run again. */
  readonly freed: number;
  /** Ids of requests that ended their process too often. They are still to be settled. */
  readonly givenUp: readonly string[];
}

/** Frees the requests of dead processes, or gives them up. */
export class LeaseExpiry {
  readonly #pool: Pool;
  readonly #owner: string;

  constructor(pool: Pool, options: { owner: string }) {
    this.#pool = pool;
    this.#owner = options.owner;
  }

  /** Every other process whose lease has run out. */
  dead(): Promise<DeadOwner[]> {
    return query<DeadOwner>(this.#pool, DEAD, [this.#owner]);
  }

  /** Frees the requests of these processes, unless they have renewed their lease, and records the attempts that were lost. */
  expire(dead: readonly DeadOwner[]): Promise<Expired> {
    const values = [dead.map(({ owner }) => owner), dead.map(({ expiredAt }) => expiredAt)];
    return this.#free(EXPIRE, values);
  }

  /** Frees a request that this process holds and could not settle. It counts against the request. */
  abandon({ id, fence }: { readonly id: string; readonly fence: number }): Promise<Expired> {
    return this.#free(ABANDON, [id, fence]);
  }

  /** Makes owners without a row in `lease_holder` known, once their leases have run out. */
  async adopt(): Promise<void> {
    await query(this.#pool, ADOPT, []);
  }

  #free(statement: typeof EXPIRE, values: readonly unknown[]): Promise<Expired> {
    return transaction(this.#pool, async (client) => {
      const runs = await query<LostRun>(client, statement, values);
      const lost = runs.filter(({ isGivenUp }) => !isGivenUp);
      if (lost.length > 0) {
        await query(client, LOST_ATTEMPTS, [
          lost.map(() => newId('att_')),
          lost.map(({ id }) => id),
          lost.map(({ starts }) => starts),
          lost.map(({ engine }) => engine),
          lost.map(({ started_at }) => started_at),
        ]);
      }
      return { freed: lost.length, givenUp: runs.filter(({ isGivenUp }) => isGivenUp).map(({ id }) => id) };
    });
  }
}
