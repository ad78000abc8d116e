import { type Pool, query } from '../../database/pool.ts';
import { transitionSql } from '../model/states.ts';
import { ALONE_LEVEL, GROUP_LEVEL, returnToQueue } from './queue-levels.ts';

const CLAIM = transitionSql('claim', 'r');

/** An engine with queued requests, and which kinds of them it has. */
export interface Waiting {
  readonly engine: string;
  readonly waits: boolean;
  /** Requests that were at work when a process died: a few of them run at a time. */
  readonly suspects: boolean;
  /** Requests that were at work when two processes died: each runs alone. */
  readonly alone: boolean;
}

/** $1: engines, each with its `bounds`: for each level, where the last claim saw the first waiting request. */
const WAITING = {
  name: 'queue-waiting',
  text: `
  select * from (
    select e.engine,
      exists (select from jsonb_array_elements_text(e.bounds) with ordinality as b(bound, n) where exists (
        select from queued_request q where q.engine = e.engine and q.level = b.n - 1 and q.seq >= b.bound::bigint)) as waits,
      exists (select from queued_request q where q.engine = e.engine and q.level = ${GROUP_LEVEL}) as suspects,
      exists (select from queued_request q where q.engine = e.engine and q.level = ${ALONE_LEVEL}) as alone
    from jsonb_to_recordset($1::jsonb) as e(engine text, bounds jsonb)
  ) seen where waits or suspects or alone`,
};

/** Processes of an older version add no rows for what they queue, and leave the rows of what they take. */
const RECONCILE = {
  name: 'queue-reconcile',
  text: `
  with missing as (
    ${returnToQueue(
      `ocr_request r where ${CLAIM.from} and not exists (select from queued_request q where q.request_id = r.id)`,
    )}
  ),
  left_over as materialized (
    select q.request_id from queued_request q
    where not exists (select from ocr_request r where r.id = q.request_id and ${CLAIM.from})
    for update of q skip locked
  )
  delete from queued_request where request_id = any(array(select request_id from left_over))`,
};

/** Whether a process that lives takes requests of an engine; one of an older version, which does not say, may take all. */
const isServed = (engine: string) => `exists (
  select from lease_holder h where h.expires_at > now() and (h.engines is null or ${engine} = any(h.engines)))`;

/**
 * Goes from engine to engine along the index. $1: engines that are known to be served, $2: how many requests to count at
 * most.
 */
const UNSERVED = {
  name: 'queue-unserved',
  text: `
  with recursive waiting as (
    (select engine from queued_request order by engine limit 1)
    union all
    select (select q.engine from queued_request q where q.engine > w.engine order by q.engine limit 1)
    from waiting w where w.engine is not null
  )
  select w.engine,
    (select count(*)::int from (select from queued_request q where q.engine = w.engine limit $2) counted) as requests
  from waiting w where w.engine is not null and w.engine <> all($1::text[]) and not ${isServed('w.engine')}`,
};

/** Answers no rows where a process serves the engine by now. */
const UNSERVED_REQUESTS = {
  name: 'queue-unserved-requests',
  text: `
  select q.request_id as id, q.level, q.seq::text as seq from queued_request q
  where q.engine = $1 and (q.level, q.seq) > ($2::smallint, $3::bigint) and not ${isServed('$1')}
  order by q.level, q.seq limit $4`,
};

const MOST_COUNTED = 10_000;

/** An engine whose queued requests no living process takes. */
export interface UnservedQueue {
  readonly engine: string;
  /** That wait; counted up to 10,000. */
  readonly requests: number;
}

/** A queued request, and where it stands among those of its engine. */
export interface QueuePlace {
  readonly id: string;
  readonly level: number;
  readonly seq: string;
}

/** A place before every request. */
export const FIRST_PLACE: QueuePlace = { id: '', level: ALONE_LEVEL - 1, seq: '0' };

/** The queue, as the sweeper looks at it. */
export class Queue {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Those of the engines that have queued requests. `boundsOf` is that of the `Leases`. */
  waiting(engineIds: readonly string[], boundsOf: (engineId: string) => readonly string[]): Promise<Waiting[]> {
    const engines = engineIds.map((engine) => ({ engine, bounds: boundsOf(engine) }));
    return query<Waiting>(this.#pool, WAITING, [JSON.stringify(engines)]);
  }

  /** Engines with queued requests that no living process serves. `served`: engines that are known to be served. */
  unserved(served: readonly string[]): Promise<UnservedQueue[]> {
    return query<UnservedQueue>(this.#pool, UNSERVED, [served, MOST_COUNTED]);
  }

  /** The next queued requests of an engine, in the order of the queue; none once a living process serves it. */
  unservedRequests(engine: string, { after, most }: { after: QueuePlace; most: number }): Promise<QueuePlace[]> {
    const values = [engine, after.level, after.seq, most];
    return query<QueuePlace>(this.#pool, UNSERVED_REQUESTS, values);
  }

  /** Repairs the queue after a process of an older version, which knows no queue. */
  async reconcile(): Promise<void> {
    await query(this.#pool, RECONCILE, []);
  }
}
