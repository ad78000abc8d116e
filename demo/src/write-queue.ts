import type { PoolClient } from 'pg';
import { query } from './statement.ts';

/** Minutes of the last days in which the queue was not sampled; chance comes from the minute itself. */
const QUEUE = {
  name: 'demo-queue',
  text: `
  with minute as (
    select at, extract(hour from at at time zone 'UTC')::int as hour,
      (hashtextextended($2 || extract(epoch from at)::text, 7) & 65535) / 65536.0 as chance,
      (hashtextextended($2 || floor(extract(epoch from at) / 2700)::text, 11) & 65535) / 65536.0 as mood
    from generate_series(date_trunc('minute', $1::timestamptz), date_trunc('minute', now()) - interval '1 minute',
      interval '1 minute') at
  ),
  depth as (
    select at, floor((case when hour between 6 and 18 then 5 else 1 end) * chance
        + case when mood > 0.93 and hour between 7 and 17 then 45 * chance + 12 else 0 end)::int as queued,
      ceil((case when hour between 6 and 18 then 7 else 2 end) * chance)::int as running
    from minute
  ),
  shares as (
    select at, '' as engine, queued, running from depth
    union all select at, 'tesseract', queued * 6 / 10, running * 5 / 10 from depth
    union all select at, 'demo-borealis', queued - queued * 6 / 10, running - running * 5 / 10 from depth
  )
  insert into queue_minute (minute, engine, samples, queued_sum, queued_max, running_sum, running_max, oldest_age_max)
  select at, engine, 12, 12 * queued, queued, 12 * running, running, case when queued > 0 then 0.4 + queued * 1.3 end
  from shares where engine = '' or queued + running > 0 on conflict do nothing`,
};

/** The queue of the last days, as far back as it is kept. */
export async function writeQueue(client: PoolClient, { now, seed }: { now: Date; seed: string }): Promise<void> {
  await query(client, QUEUE, [new Date(now.getTime() - 7 * 86_400_000), seed]);
}
