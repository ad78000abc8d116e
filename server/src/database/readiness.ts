import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../platform/concurrency/single-flight.ts';
import { type Pool, query } from './pool.ts';

/** Longest wait of statements in a process that is ready, in ms. */
const LONGEST_WAIT_MS = 5000;

/**
 * Makes the check whether the database answers, and no statement has been waiting for too long. Simultaneous calls share one
 * answer.
 */
export function databaseReadiness(pool: Pool): () => Promise<boolean> {
  const asked = new SingleFlight<boolean>();
  return () => asked.run('', () => isServing(pool));
}

async function isServing(pool: Pool): Promise<boolean> {
  if (pool.waits.oldestMs() > LONGEST_WAIT_MS) return false;
  const answer = query(pool, { name: 'ready', text: 'select 1' }, []).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, sleep(LONGEST_WAIT_MS, false, { ref: false })]);
}
