import type { Overtaking } from '../../platform/concurrency/semaphore.ts';
import type { Pool } from '../pool.ts';

/** How much longer than usual a statement takes before the next one goes by another connection: it may be silent. */
const TIMES = 20;
const LEAST_MS = 100;
const MOST_MS = 500;

/** Statements of a line that stand aside: they are waited for by themselves, `most` at once. */
export function overtaking(most: number): Overtaking {
  return { times: TIMES, leastMs: LEAST_MS, mostMs: MOST_MS, most };
}

/** Those that take locks and money leave most connections of the pool to the others. */
export function overtakingOn(pool: Pool): Overtaking {
  return overtaking(Math.floor(pool.options.max / 3));
}
