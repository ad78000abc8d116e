import { type Pool, query, queryOne } from '../../database/pool.ts';
import { showsMessages } from '../../requests/store/texts/left-sql.ts';
import { COUNTED, FAULTS } from './attempt-sql.ts';
import type { EngineEnding, EngineErrors } from './engine-errors.type.ts';

/** Most runs of an engine that are looked at, the newest, so that the time for it does not grow with the table. */
export const ERRORS_AMONG = 20_000;

/** $1 engine, $2 since. The newest first, by `attempt_engine_index`; which of them are of the time is judged afterwards. */
const NEWEST = `newest as materialized (
  select request_id, outcome, provider_fault, message, coalesce(finished_at, started_at) as ended_at
  from attempt where engine = $1 and ${COUNTED} order by recorded_xid desc limit ${ERRORS_AMONG}
)`;

const ENDINGS = {
  name: 'engine-errors',
  text: `
  with ${NEWEST},
  ending as (
    select outcome, provider_fault, count(*)::float8 as runs, (array_agg(message order by ended_at desc))[1] as message,
      max(ended_at) as last_at, (array_agg(request_id order by ended_at desc))[1] as request_id
    from newest where ended_at >= $2 and outcome not in ('ok', 'cancelled') group by outcome, provider_fault
  )
  select outcome, provider_fault as "providerFault", outcome in ${FAULTS} as "isEngineError", runs,
    case when ${showsMessages('ending.request_id')} then message end as "lastMessage", last_at as "lastAt", request_id as "lastRequestId"
  from ending order by runs desc, last_at desc`,
};

const LOOKED_AT = {
  name: 'engine-errors-looked-at',
  text: `
  with ${NEWEST}
  select count(*) filter (where ended_at >= $2)::float8 as runs,
    count(*) = ${ERRORS_AMONG} and coalesce(min(ended_at) >= $2, false) as "isCut"
  from newest`,
};

/** The reasons why runs on an engine ended badly since a time: how often each ending came, with its latest run. */
export async function engineErrors(pool: Pool, engineId: string, since: Date): Promise<EngineErrors> {
  const values = [engineId, since];
  const [endings, looked] = await Promise.all([
    query<EngineEnding>(pool, ENDINGS, values),
    queryOne<{ runs: number; isCut: boolean }>(pool, LOOKED_AT, values),
  ]);
  return { since, ...looked, endings };
}
