/**
 * An SQL condition for attempts that say something about the engine: a caller's unreadable file, or a process that was lost,
 * never does; a cancellation only by pages that had been read. The first two conditions are word for word those of the table's
 * indexes.
 */
export const COUNTED = `outcome is not null and outcome not in ('unreadable', 'lost') and (outcome <> 'cancelled' or pages > 0)`;

/** Endings that are the engine's fault. */
export const FAULTS = `('failed', 'timeout')`;

/**
 * The engine time per page in whole milliseconds, as SQL: a job of many pages is not slower than its pages. Attempts from before
 * `pages_tried` count as one page; null where a cancellation stopped calls before their time.
 */
export const PAGE_MS = `(case when outcome <> 'cancelled' then provider_latency_ms / greatest(coalesce(pages_tried, 1), 1) end)`;

/** The clock hour of an attempt, UTC. */
export const HOUR = `date_trunc('hour', coalesce(finished_at, started_at), 'UTC')`;

/**
 * An SQL condition for attempts that no roll-up has counted yet; with COUNTED and an engine, it is a range of
 * `attempt_engine_index`.
 */
export const UNROLLED = 'recorded_xid >= (select recorded_before from roll_up_mark)';

/**
 * A part of `with recursive`: `seen` has every engine with a counted attempt, found in one step of the index for each, however
 * many rows there are.
 */
export const SEEN_ENGINES = `seen(engine) as (
  (select engine from attempt where ${COUNTED} order by engine limit 1)
  union all
  select (select a.engine from attempt a where a.engine > seen.engine and ${COUNTED} order by a.engine limit 1)
  from seen where seen.engine is not null
)`;
