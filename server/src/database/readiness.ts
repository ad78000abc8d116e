import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../platform/concurrency/single-flight.ts';
import { type Pool, query } from './pool.ts';

/** A process whose statements wait longer than this is not ready. */
const LONGEST_WAIT_MS = 5000;

/** Whether the database answers, and no statement has been waiting for longer than it should; asked once for all. */
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
