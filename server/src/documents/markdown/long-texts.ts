import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { atOnce, Slices } from '../../platform/turns/slices.ts';

/** Characters from which on a text is looked through with turns for others: a megabyte of marks takes seconds. */
const LONG = 32 * 1024;
const NEVER = new AbortController().signal;

/** A long text of marks takes a hundred times its size in memory while it is looked through: one at a time, parties by turns. */
const place = new FairSemaphore(1);

/** Does such work at once, or where the text is long in slices, when it is the party's turn. */
export function lookThrough<T>(text: string, party: string, work: () => Generator<void, T>): T | Promise<T> {
  return text.length < LONG ? atOnce(work()) : inTurn(party, work);
}

async function inTurn<T>(party: string, work: () => Generator<void, T>): Promise<T> {
  const permit = await place.acquire(NEVER, party);
  try {
    return await new Slices().run(work());
  } finally {
    permit.release();
  }
}
