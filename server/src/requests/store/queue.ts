import { type Pool, query } from '../../database/pool.ts';
import { transitionSql } from '../model/states.ts';
import { LEVEL_OF_RETURNED } from './lease-sql.ts';
import { ALONE_LEVEL, GROUP_LEVEL, NOW_US } from './queue-levels.ts';

const CLAIM = transitionSql('claim', 'r');

/** An engine with queued requests. */
export interface Waiting {
  readonly engine: string;
  readonly waits: boolean;
  /** Requests that were at work when a process died, for a few at a time. */
  readonly suspects: boolean;
  /** One that is to run alone. */
  readonly alone: boolean;
}

/** $2: for each engine and level from where on requests may wait, as the last claim saw it. */
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

/** What processes of an older version queue has no row, and what they take leaves its row behind. */
const RECONCILE = {
  name: 'queue-reconcile',
  text: `
  with missing as (
    insert into queued_request (request_id, engine, account_id, level, seq)
    select id, requested_engine, account_id, ${LEVEL_OF_RETURNED}, ${NOW_US} from ocr_request r
    where ${CLAIM.from} and not exists (select from queued_request q where q.request_id = r.id)
    on conflict (request_id) do nothing
  ),
  left_over as materialized (
    select q.request_id from queued_request q
    where not exists (select from ocr_request r where r.id = q.request_id and ${CLAIM.from})
    for update of q skip locked
  )
  delete from queued_request where request_id = any(array(select request_id from left_over))`,
};

/** Those who waited have it by now. */
const FORGET_PASSED = {
  name: 'lease-forget-passed',
  text: `delete from passing_text where created_at < now() - interval '5 minutes'`,
};

/** What waits, looked at by the sweeper. */
export class Queue {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Of these engines, those with queued requests. */
  waiting(engineIds: readonly string[], boundsOf: (engineId: string) => readonly string[]): Promise<Waiting[]> {
    const engines = engineIds.map((engine) => ({ engine, bounds: boundsOf(engine) }));
    return query<Waiting & Record<string, unknown>>(this.#pool, WAITING, [JSON.stringify(engines)]);
  }

  /** Brings queue and requests together where a process that knows no queue has been at work. */
  async reconcile(): Promise<void> {
    await query(this.#pool, RECONCILE, []);
  }

  /** Removes texts that were on their way to callers in other processes. */
  async forgetPassed(): Promise<void> {
    await query(this.#pool, FORGET_PASSED, []);
  }
}
