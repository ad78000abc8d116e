import { type Pool, query } from '../../database/pool.ts';
import type { Refusals } from './refusal-buffer.ts';
import type { RefusalCounts, RefusedCallType } from './refused-call.type.ts';

/** Hours for which counts are kept: the longest that operators can look back. */
const KEEP_HOURS = 744;
const KEEP_CALLS_DAYS = 3;
const MOST_CALLS = 200_000;
/**
 * Rows that one statement deletes, and statements at a time: a flood is caught up with, and no delete runs into its time limit.
 */
const FORGET_STEP = 20_000;
const MOST_STEPS = 100;

const WRITE = {
  name: 'refusals-write',
  text: `
  with counted as (
    insert into refused_hour as t (hour, engine, account_id, key_id, status, code, calls)
    select * from json_to_recordset($1::json)
      as i(hour timestamptz, engine text, account_id text, key_id text, status int, code text, calls bigint)
    on conflict (hour, engine, account_id, key_id, status, code) do update set calls = t.calls + excluded.calls
  )
  insert into refused_call (id, at, status, code, message, method, path, account_id, key_id, engine, party)
  select "requestId", at, status, code, message, method, path, "accountId", "keyId", engine, party
  from json_to_recordset($2::json) as c("requestId" text, at timestamptz, status int, code text, message text, method text,
    path text, "accountId" text, "keyId" text, engine text, party text)
  on conflict do nothing`,
};

const FORGET_AGED = {
  name: 'refusals-forget-aged',
  text: `
  with old as (
    select id from refused_call where at < now() - make_interval(days => ${KEEP_CALLS_DAYS}) order by at limit ${FORGET_STEP}
  ), gone as (delete from refused_call c using old where c.id = old.id returning 1)
  select count(*)::int as gone from gone`,
};

/**
 * Deletes calls beyond $1, fairly: parties with few calls keep all of them, and the others share the rest, so that one that
 * floods takes nothing from others. Parties are taken by their numbers, lowest first; the first one that has more than an equal
 * share of what is left tells how many each of the rest may keep. Ids begin with their time: the lowest are the oldest.
 */
const FORGET_SURPLUS = {
  name: 'refusals-forget-surplus',
  text: `
  with held as materialized (select party, count(*) as calls from refused_call group by party),
  filled as (
    select calls, sum(calls) over up_to - calls as below, count(*) over () - row_number() over up_to + 1 as parties
    from held window up_to as (order by calls, party)
  ),
  share as (select ($1 - below) / parties as most from filled where below + calls * parties > $1 order by calls limit 1),
  old as (
    select c.id from held h cross join (select floor(most)::bigint as most from share) s cross join lateral (
      select id from refused_call where party = h.party order by id limit greatest(h.calls - s.most, 0)) c
    limit ${FORGET_STEP}
  ), gone as (delete from refused_call c using old where c.id = old.id returning 1)
  select count(*)::int as gone from gone`,
};

const FORGET_HOURS = {
  name: 'refusals-forget-hours',
  text: `delete from refused_hour where hour < now() - make_interval(hours => ${KEEP_HOURS})`,
};

const FIND = {
  name: 'refusals-find',
  text: `select id as "requestId", at, status, code, message, method, path, account_id as "accountId", key_id as "keyId", engine
         from refused_call where id = $1`,
};

const COUNTS = {
  name: 'refusals-counts',
  text: `
  with counted as (
    select nullif(engine, '') as engine, nullif(account_id, '') as account_id, nullif(key_id, '') as key_id, status, code,
      sum(calls)::float8 as calls
    from refused_hour where hour >= $1 group by 1, 2, 3, 4, 5 order by 6 desc, 5, 1, 2, 3 limit 500
  )
  select c.engine, c.account_id as "accountId", a.email as "accountEmail", c.key_id as "keyId", k.label as "keyLabel",
    c.status, c.code, c.calls
  from counted c
    left join account a on a.id = c.account_id::uuid
    left join api_key k on k.id = c.key_id
  order by c.calls desc, c.code, c.engine, c.account_id, c.key_id`,
};

const TOTALS = {
  name: 'refusals-totals',
  text: `select engine, sum(calls)::float8 as calls, coalesce(sum(calls) filter (where status = 503), 0)::float8 as unavailable
         from refused_hour where hour >= $1 group by engine`,
};

const UNAVAILABLE = {
  name: 'refusals-unavailable',
  text: `select hour, sum(calls)::float8 as calls from refused_hour
         where engine = $1 and status = 503 and hour >= $2 group by hour`,
};

/** The refused calls of one engine; of no engine, where the name is empty. */
export interface EngineRefusals {
  readonly engine: string;
  readonly calls: number;
  /** Calls that were refused because the engine took no requests. */
  readonly unavailable: number;
}

/** Calls that were answered with an error before there was a request: counts of 31 days, single ones of three. */
export class RefusalStore {
  readonly #pool: Pool;
  readonly #mostCalls: number;

  constructor(pool: Pool, mostCalls = MOST_CALLS) {
    this.#pool = pool;
    this.#mostCalls = mostCalls;
  }

  async write({ counts, calls }: Refusals): Promise<void> {
    await query(this.#pool, WRITE, [JSON.stringify(counts), JSON.stringify(calls)]);
  }

  async forgetOld(): Promise<void> {
    await this.#forget(FORGET_AGED, []);
    await this.#forget(FORGET_SURPLUS, [this.#mostCalls]);
    await query(this.#pool, FORGET_HOURS, []);
  }

  async find(id: string): Promise<RefusedCallType | null> {
    const [row] = await query<RefusedCallType>(this.#pool, FIND, [id]);
    return row ?? null;
  }

  counts(since: Date): Promise<RefusalCounts[]> {
    return query<RefusalCounts>(this.#pool, COUNTS, [since]);
  }

  totals(since: Date): Promise<EngineRefusals[]> {
    return query<EngineRefusals>(this.#pool, TOTALS, [since]);
  }

  /** Calls that were refused because the engine took no requests, by hour; hours without any are left out. */
  unavailable(engineId: string, since: Date): Promise<{ hour: Date; calls: number }[]> {
    return query<{ hour: Date; calls: number }>(this.#pool, UNAVAILABLE, [engineId, since]);
  }

  async #forget(statement: { name: string; text: string }, values: readonly number[]): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step++) {
      const [row] = await query<{ gone: number }>(this.#pool, statement, [...values]);
      if ((row?.gone ?? 0) < FORGET_STEP) return;
    }
  }
}
