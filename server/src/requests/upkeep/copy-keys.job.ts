import { type Pool, queryOne } from '../../database/pool.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';

/** Requests that one batch looks at. */
const BATCH = 5000;
/** Between two batches: others use the database, too. */
const PAUSE_MS = 50;
/** Between two looks whether the process that copies them has gone before its end. */
const LOOK_MS = 600_000;

/**
 * Copies the idempotency keys of requests that were accepted before these had a table of their own. Each batch moves keys
 * and mark together: a process that ends leaves nothing half done, and another one goes on where it was.
 */
export class IdempotencyKeyCopy implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #periodic: Periodic;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
    let hasMore = false;
    const step = async () => {
      hasMore = false; // of a batch that fails, the next try knows no more
      hasMore = await this.#step();
    };
    this.#periodic = new Periodic(step, {
      everyMs: () => (hasMore ? PAUSE_MS : LOOK_MS),
      onError: (error) => log.warn({ err: error }, 'idempotency keys were not copied yet'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Answers whether there is more to copy. */
  async #step(): Promise<boolean> {
    const { isLast } = await copyKeys(this.#pool);
    if (isLast) this.#log.info('all idempotency keys are in their table');
    return isLast === false;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}

/**
 * Copies the keys of the next requests that were accepted before keys had a table. A request that has ended keeps its key for
 * ever; one that is open may release it at this moment, and is therefore held until its key is copied.
 */
const COPY = {
  name: 'idempotency-keys-copy',
  text: `
  with mark as materialized (select copied_to from idempotency_mark where not complete for update skip locked),
  looked as materialized (
    select r.* from mark m cross join lateral (
      select id, account_id, idempotency_key, finished_at from ocr_request where id > m.copied_to order by id limit $1::int) r
  ),
  open as materialized (
    select r.id, r.account_id, r.idempotency_key from ocr_request r
    where r.id = any(array(select id from looked where finished_at is null)) and r.idempotency_key is not null for share
  ),
  copied as (
    insert into idempotency_key (account_id, key, request_id)
    select account_id, idempotency_key, id from looked where finished_at is not null and idempotency_key is not null
    union all
    select account_id, idempotency_key, id from open
    on conflict do nothing
  ),
  moved as (
    update idempotency_mark i set copied_to = coalesce((select max(id) from looked), i.copied_to),
      complete = (select count(*) < $1::int from looked)
    where exists (select from mark) returning i.complete
  )
  select (select count(*)::int from looked) as looked, (select complete from moved) as "isLast"`,
};

/** What a step has done; `isLast` is null where there was nothing to do, or another process does it. */
interface CopyStep {
  readonly looked: number;
  readonly isLast: boolean | null;
}

/** Copies the keys of the next requests from before `idempotency_key` existed; several processes take turns. */
export function copyKeys(pool: Pool, size = BATCH): Promise<CopyStep> {
  return queryOne<CopyStep>(pool, COPY, [size]);
}
