import { Piscina } from 'piscina';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { atOnce, Slices } from '../../platform/turns/slices.ts';
import { TEXT_WORK, type TextResults, type TextTask } from './text-work.ts';

/** Characters from which on a text is looked through with turns for others: a megabyte of marks takes seconds. */
const LONG = 32 * 1024;
/** And from which on in a thread: its lines would have the collector at work in between, for tens of milliseconds each time. */
const VERY_LONG = 256 * 1024;
/** Of a wait. Nobody is refused here: an answer may be that of a request that was charged. */
const WAIT_MS = 10_000;
/** Short: what its lines took is given back with it. */
const IDLE_MS = 5000;
const THREAD_MEMORY_MB = 1024;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './text-thread.ts' : './text-thread.js', import.meta.url).href;

type TextThread = Piscina<TextTask, TextResults[keyof TextResults]>;

let thread: TextThread | undefined;
/** A long text of marks takes a hundred times its size in memory while it is looked through: one at a time, parties by turns. */
const place = new FairSemaphore(1);

/**
 * Looks through a text, at once or, where it is long, when it is the party's turn or has not been for ten seconds: in slices, or
 * beside the service's own thread.
 */
export function lookThrough<K extends keyof TextResults>(
  kind: K,
  text: string,
  party: string,
): TextResults[K] | Promise<TextResults[K]> {
  return text.length < LONG ? atOnce(TEXT_WORK[kind](text)) : inTurn(kind, text, party);
}

async function inTurn<K extends keyof TextResults>(kind: K, text: string, party: string): Promise<TextResults[K]> {
  const permit = await place.acquire(AbortSignal.timeout(WAIT_MS), party).catch(() => null);
  try {
    // Without the place the thread has another text, and would be waited for without an end.
    const found = permit === null || text.length < VERY_LONG ? null : await inThread(kind, text);
    return found ?? (await new Slices().run(TEXT_WORK[kind](text)));
  } finally {
    permit?.release();
  }
}

/** Null where the thread broke over it: its memory is bounded. */
async function inThread<K extends keyof TextResults>(kind: K, text: string): Promise<TextResults[K] | null> {
  thread ??= openThread();
  const found = await thread.run({ kind, text }).catch(() => null);
  return found as TextResults[K] | null; // what the kind of task says
}

/** It ends when nothing was looked through for a while, and keeps no process. */
function openThread(): TextThread {
  const opened: TextThread = new Piscina({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    env: {},
    recordTiming: false,
  });
  // A thread that ends while it has no task is replaced at the next one.
  opened.on('error', () => undefined);
  return opened;
}
