import { type Pool, query } from '../../database/pool.ts';
import type { QueuePoint } from './queue.type.ts';

const KEPT_DAYS = 8;
const MINUTE_SECONDS = 60;

/** Adds a sample of waiting and running requests to the row of the minute; the engine '' is all engines together. */
const SAMPLE = {
  name: 'queue-sample',
  text: `
  with open as materialized (
    select engine, sum(queued) as queued, sum(running) as running,
      (extract(epoch from now()) - min(seq) / 1e6)::real as oldest
    from (
      select engine, count(*) as queued, 0 as running, min(seq) as seq from queued_request group by 1
      union all
      select at_work.key, 0, at_work.value::int, null
      from lease_holder h cross join lateral jsonb_each_text(h.running) at_work where h.expires_at > now()
    ) parts group by 1
  ),
  forgotten as (delete from queue_minute where minute < now() - make_interval(days => ${KEPT_DAYS}))
  insert into queue_minute as m (minute, engine, samples, queued_sum, queued_max, running_sum, running_max, oldest_age_max)
  select date_trunc('minute', now()), engine, 1, queued, queued, running, running, oldest from (
    select engine, queued, running, oldest from open
    union all
    select '', coalesce(sum(queued), 0), coalesce(sum(running), 0), max(oldest) from open
  ) sample
  on conflict (minute, engine) do update set samples = m.samples + 1, queued_sum = m.queued_sum + excluded.queued_sum,
    queued_max = greatest(m.queued_max, excluded.queued_max), running_sum = m.running_sum + excluded.running_sum,
    running_max = greatest(m.running_max, excluded.running_max),
    oldest_age_max = greatest(m.oldest_age_max, excluded.oldest_age_max)`,
};

/**
 * Reads the history. An engine has no row for a minute in which it had nothing to do, so the row of all engines tells how many
 * samples there were.
 */
const READ = {
  name: 'queue-history',
  text: `
  select to_timestamp(floor(extract(epoch from t.minute) / $3::int) * $3::int) as at,
    (coalesce(sum(e.queued_sum), 0) / sum(t.samples))::float8 as queued, coalesce(max(e.queued_max), 0)::int as "queuedMax",
    (coalesce(sum(e.running_sum), 0) / sum(t.samples))::float8 as running,
    max(e.oldest_age_max)::float8 as "oldestAgeSeconds"
  from queue_minute t left join queue_minute e on e.minute = t.minute and e.engine = $2
  where t.engine = '' and t.minute >= now() - make_interval(hours => $1) group by 1 order by 1`,
};

/** The fill of the queue, minute by minute, for eight days. */
export class QueueHistory {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async sample(): Promise<void> {
    await query(this.#pool, SAMPLE, []);
  }

  /** At most about 300 points, oldest first, without times that have no samples; `engineId` null: of all engines. */
  read(engineId: string | null, hours: number): Promise<QueuePoint[]> {
    return query<QueuePoint>(this.#pool, READ, [hours, engineId ?? '', stepSeconds(hours)]);
  }
}

function stepSeconds(hours: number): number {
  if (hours <= 4) return MINUTE_SECONDS;
  return hours <= 24 ? 5 * MINUTE_SECONDS : 60 * MINUTE_SECONDS;
}
