import { type Pool, query } from '../database/pool.ts';
import type { EngineQueue, WorkerState } from './queue.type.ts';

/** Both partial indexes hold open requests only, which are few. */
const QUEUES = {
  name: 'queue-depths',
  text: `
  select engine as "engineId", sum(queued)::int as queued, sum(running)::int as running,
    round(extract(epoch from now() - min(oldest))::numeric, 1)::float8 as "oldestAgeSeconds"
  from (
    select requested_engine as engine, count(*) as queued, 0 as running, min(created_at) as oldest
    from ocr_request where status = 'queued' group by 1
    union all
    select requested_engine, 0, count(*), null from ocr_request where status = 'processing' group by 1
  ) parts group by engine order by engine`,
};

const WORKERS = {
  name: 'queue-workers',
  text: `
  with lease as (
    select lease_owner as owner, array_agg(distinct requested_engine) as engines, count(*)::int as running,
      min(lease_expires_at) as expires_at
    from ocr_request where status = 'processing' and lease_owner is not null group by lease_owner
  )
  select coalesce(p.owner, l.owner) as owner, coalesce(l.engines, '{}') as engines, coalesce(l.running, 0) as running,
    l.expires_at as "leaseExpiresAt", p.role, p.version, p.started_at as "startedAt", p.seen_at as "lastHeartbeatAt"
  from worker_process p full join lease l on l.owner = p.owner
  where p.seen_at > now() - interval '1 hour' or l.owner is not null order by 1`,
};

/** What waits and what is at work, in every process. */
export class QueueBook {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Engines with open requests. */
  queues(): Promise<EngineQueue[]> {
    return query<EngineQueue & Record<string, unknown>>(this.#pool, QUEUES, []);
  }

  workers(): Promise<WorkerState[]> {
    return query<WorkerState & Record<string, unknown>>(this.#pool, WORKERS, []);
  }
}
