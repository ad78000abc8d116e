import { Piscina } from 'piscina';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { atOnce, Slices } from '../../platform/turns/slices.ts';
import { AS_IT_IS, TEXT_WORK, type TextResults, type TextTask } from './text-work.ts';

/** Least characters of a long text, which is looked through with turns for others: a megabyte of marks takes seconds. */
const LONG = 32 * 1024;
/**
 * Least characters of a very long text, which is looked through in a thread: for its lines the garbage collector would interrupt
 * the service for tens of milliseconds each time.
 */
const VERY_LONG = 256 * 1024;
/** Longest wait for the thread, longest wait for a turn in the service, and longest time of the thread for one text. */
const LIMITS_MS = { thread: 10_000, here: 60_000, text: 120_000 };
/** How long the idle thread is kept: short, because the memory for its lines is given back with it. */
const IDLE_MS = 5000;
const THREAD_MEMORY_MB = 1024;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './text-thread.ts' : './text-thread.js', import.meta.url).href;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

type TextThread = Piscina<TextTask, TextResults[keyof TextResults]>;

export interface LongTextsOptions {
  readonly limitsMs?: Partial<typeof LIMITS_MS>;
  /** The module that the thread runs. */
  readonly entry?: string;
  readonly memoryMb?: number;
}

/**
 * Looks through texts for what is written in them. A long text of marks takes a hundred times its size in memory: the longest are
 * looked through one at a time in a thread whose memory is bounded, others a few at a time in the service; accounts take turns at
 * both. Nobody is refused, because an answer may be that of a request that was charged: a text that is too much for the thread,
 * or that waits for a minute, is given as it is. In the service no account holds every place.
 */
export class LongTexts {
  readonly #limitsMs: typeof LIMITS_MS;
  readonly #entry: string;
  readonly #memoryMb: number;
  /** Each permit is for one text. */
  readonly #inThread = new FairSemaphore(1);
  readonly #here = { long: new FairSemaphore(4, () => 2), veryLong: new FairSemaphore(2, () => 1) };
  #thread: TextThread | undefined;
  /** Gives up the text that the thread has. */
  #giveUp: (() => void) | undefined;

  constructor({ limitsMs, entry = ENTRY, memoryMb = THREAD_MEMORY_MB }: LongTextsOptions = {}) {
    this.#limitsMs = { ...LIMITS_MS, ...limitsMs };
    this.#entry = entry;
    this.#memoryMb = memoryMb;
  }

  /** Looks through a text: a short one at once, a long one in the party's turn. */
  lookThrough<K extends keyof TextResults>(
    kind: K,
    text: string,
    party: string,
  ): TextResults[K] | Promise<TextResults[K]> {
    return text.length < LONG ? atOnce(TEXT_WORK[kind](text)) : this.#inTurn({ kind, text }, party);
  }

  async #inTurn<K extends keyof TextResults>(task: TextTask & { kind: K }, party: string): Promise<TextResults[K]> {
    const { kind, text } = task;
    const isVeryLong = text.length >= VERY_LONG;
    const beside = isVeryLong ? await this.#beside(task, party) : 'no thread';
    if (beside !== 'no thread' && beside !== 'too much') return beside as TextResults[K]; // what the kind of task says
    const place = isVeryLong ? this.#here.veryLong : this.#here.long;
    const here = beside === 'no thread' ? await soon(place, this.#limitsMs.here, party) : null;
    if (!here) return AS_IT_IS[kind](text);
    try {
      return await new Slices().run(TEXT_WORK[kind](text));
    } finally {
      here.release();
    }
  }

  /**
   * Looks through a text in the thread. `no thread`: the thread has others' texts, or cannot be started; `too much`: the text is
   * too much for the thread, and so for the service.
   */
  async #beside(task: TextTask, party: string): Promise<TextResults[keyof TextResults] | 'no thread' | 'too much'> {
    const permit = await soon(this.#inThread, this.#limitsMs.thread, party);
    if (!permit) return 'no thread';
    const late = new AbortController();
    const broken = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#limitsMs.text);
    this.#giveUp = () => broken.abort();
    try {
      this.#thread ??= this.#openThread();
      return await this.#thread.run(task, { signal: AbortSignal.any([late.signal, broken.signal]) });
    } catch (error) {
      return late.signal.aborted || (error as NodeJS.ErrnoException).code === OUT_OF_MEMORY ? 'too much' : 'no thread';
    } finally {
      clearTimeout(timer);
      this.#giveUp = undefined;
      permit.release();
    }
  }

  /** Opens the thread. It ends when it was idle for a while, and keeps no process alive. */
  #openThread(): TextThread {
    const opened: TextThread = new Piscina({
      filename: this.#entry,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
      env: {},
      recordTiming: false,
    });
    opened.on('error', () => undefined); // of one that had no text
    // A thread that ends before it is ready leaves its text in the pool's line, where no other thread takes it.
    opened.on('workerDestroy', () => {
      const giveUp = this.#giveUp;
      if (giveUp) setImmediate(giveUp); // a text that it had is told by then
    });
    return opened;
  }
}

/** A permit; null where the party's turn does not come in time. */
function soon(place: FairSemaphore, limitMs: number, party: string) {
  return place.acquire(AbortSignal.timeout(limitMs), party).catch(() => null);
}

const texts = new LongTexts();

/** Looks through a text with the one `LongTexts` of this process. */
export function lookThrough<K extends keyof TextResults>(
  kind: K,
  text: string,
  party: string,
): TextResults[K] | Promise<TextResults[K]> {
  return texts.lookThrough(kind, text, party);
}
