import type { Overtaking } from '../../platform/concurrency/semaphore.ts';
import type { Pool } from '../pool.ts';

/**
 * The next statement goes out on another connection once one takes this many times the usual duration: its connection may be
 * silent.
 */
const TIMES = 20;
const LEAST_MS = 100;
const MOST_MS = 500;

/** Overtaking for a semaphore that sends statements, with at most `most` slow ones at once. */
export function overtaking(most: number): Overtaking {
  return { times: TIMES, leastMs: LEAST_MS, mostMs: MOST_MS, most };
}

/** Overtaking for statements that lock wallets: slow ones may take a third of the pool's connections. */
export function overtakingOn(pool: Pool): Overtaking {
  return overtaking(Math.floor(pool.options.max / 3));
}
