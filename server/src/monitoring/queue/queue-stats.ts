import { type Pool, query } from '../../database/pool.ts';
import type { EngineQueue, WorkerState } from './queue.type.ts';

/** Waiting requests are counted in the queue, running ones as each process reports them with its lease. */
const QUEUES = {
  name: 'queue-depths',
  text: `
  select engine as "engineId", sum(queued)::int as queued, sum(running)::int as running,
    round((extract(epoch from now()) - min(seq) / 1e6)::numeric, 1)::float8 as "oldestAgeSeconds"
  from (
    select engine, count(*) as queued, 0 as running, min(seq) as seq from queued_request group by 1
    union all
    select at_work.key, 0, at_work.value::int, null
    from lease_holder h cross join lateral jsonb_each_text(h.running) at_work where h.expires_at > now()
  ) parts group by engine order by engine`,
};

const WORKERS = {
  name: 'queue-workers',
  text: `
  with lease as (
    select h.owner, h.expires_at, array(select jsonb_object_keys(h.running) order by 1) as engines,
      (select coalesce(sum(value::int), 0) from jsonb_each_text(h.running))::int as running
    from lease_holder h where h.expires_at > now() - interval '1 hour'
  )
  select coalesce(p.owner, l.owner) as owner, coalesce(l.engines, '{}') as engines, coalesce(l.running, 0) as running,
    case when l.running > 0 then l.expires_at end as "leaseExpiresAt", p.role, p.version, p.started_at as "startedAt",
    p.seen_at as "lastHeartbeatAt"
  from worker_process p full join lease l on l.owner = p.owner
  where p.seen_at > now() - interval '1 hour' or l.running > 0 order by 1`,
};

/** The waiting and running requests of all processes. */
export class QueueStats {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The queues of engines that have open requests. */
  queues(): Promise<EngineQueue[]> {
    return query<EngineQueue>(this.#pool, QUEUES, []);
  }

  workers(): Promise<WorkerState[]> {
    return query<WorkerState>(this.#pool, WORKERS, []);
  }
}
