import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { atOnce, Slices } from '../../platform/turns/slices.ts';

/** Characters from which on a text is looked through with turns for others: a megabyte of marks takes seconds. */
const LONG = 32 * 1024;
/** Of a wait. Nobody is refused here: an answer may be that of a request that was charged. */
const WAIT_MS = 10_000;

/** A long text of marks takes a hundred times its size in memory while it is looked through: one at a time, parties by turns. */
const place = new FairSemaphore(1);

/** Does such work at once, or where the text is long in slices, when it is the party's turn or has not been for ten seconds. */
export function lookThrough<T>(text: string, party: string, work: () => Generator<void, T>): T | Promise<T> {
  return text.length < LONG ? atOnce(work()) : inTurn(party, work);
}

async function inTurn<T>(party: string, work: () => Generator<void, T>): Promise<T> {
  const permit = await place.acquire(AbortSignal.timeout(WAIT_MS), party).catch(() => null);
  try {
    return await new Slices().run(work());
  } finally {
    permit?.release();
  }
}
