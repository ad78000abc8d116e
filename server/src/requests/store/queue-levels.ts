/**
 * The order of the queue. An account's requests stand on levels by how many of its own already wait at the engine: the
 * first on level 1, the next two on level 2, the next four on level 3, and so on. A level is first come, first served,
 * and between levels a request counts as having come later by the level's handicap. So an account's hundredth request
 * yields to everybody's first one, but not for ever.
 *
 * New rows of a level always come behind the old ones. A claim can therefore start where the last one ended, and does
 * not walk over the index entries that an old snapshot elsewhere keeps alive.
 */

/** Was accepted or begun already and is to run again: before everything else. */
export const RETURNED_LEVEL = 0;
/** Was at work when a process died: only a few of these run side by side in a process. */
export const GROUP_LEVEL = -1;
/** Was at work when two processes died: runs with nothing else beside it. */
export const ALONE_LEVEL = -2;

const HIGHEST_LEVEL = 14;
/** By how much the second level is behind the first; each further one about twice as much. */
const HANDICAP_US = 60_000_000;
const FIRST_US = -3_600_000_000;

/** By level, microseconds; from `RETURNED_LEVEL` on. */
export const HANDICAPS_US: readonly number[] = [
  FIRST_US,
  ...Array.from({ length: HIGHEST_LEVEL }, (_, i) => HANDICAP_US * (2 ** i - 1)),
];

/** The level of a request whose account has so many waiting at its engine. */
export function levelOf(waiting: number): number {
  return Math.min(HIGHEST_LEVEL, 1 + Math.floor(Math.log2(waiting + 1)));
}

/** Where a row that is written now stands within its level. */
export const NOW_US = '(extract(epoch from clock_timestamp()) * 1e6)::bigint';

/**
 * Puts requests back into the queue, as SQL. `from` gives them, with `id`, `requested_engine`, `account_id` and `suspicion`, by
 * which each has its level; one that waits already stays where it is.
 */
export function returnToQueue(from: string): string {
  return `insert into queued_request (request_id, engine, account_id, level, seq)
    select id, requested_engine, account_id, case when suspicion is null then ${RETURNED_LEVEL}
      when suspicion = 0 then ${GROUP_LEVEL} else ${ALONE_LEVEL} end, ${NOW_US} from ${from}
    on conflict (request_id) do nothing`;
}
