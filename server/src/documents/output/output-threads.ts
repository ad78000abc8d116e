import { Piscina } from 'piscina';
import { unreadable } from '../formats/unreadable.ts';
import { TimeLimit } from '../limits/time-limit.ts';
import type { OutputAnswer, OutputTask } from './output-task.ts';

export interface OutputThreadsOptions {
  readonly threads: number;
  /** Of a task, and a little more for each of its pages. At its end the thread is stopped for good and replaced. */
  readonly timeoutMs: number;
  /** Of one thread's heap. */
  readonly memoryMb: number;
}

const IDLE_MS = 15_000;
const PAGE_MS = 200;
/** What the process may grow by meanwhile: a thread's heap is bounded by Node, its buffers by nothing. */
const MOST_GROWTH_BYTES = 1024 ** 3;
const LOOK_MS = 100;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './output-thread.ts' : './output-thread.js', import.meta.url)
  .href;

/** Threads that write PDFs: the library that reads the caller's file there may be slow over it, or never end. */
export class OutputThreads implements AsyncDisposable {
  readonly #options: OutputThreadsOptions;
  #pool: Piscina<OutputTask, OutputAnswer> | undefined;

  constructor(options: OutputThreadsOptions) {
    this.#options = options;
  }

  /** Throws `unprocessable_entity` when the thread breaks, or time or memory are over; the signal's reason when it aborts. */
  async run(task: OutputTask, signal: AbortSignal): Promise<Exclude<OutputAnswer, { kind: 'broken' }>> {
    this.#pool ??= openPool(this.#options);
    const limitMs = this.#options.timeoutMs + PAGE_MS * task.pages.length;
    using limit = new TimeLimit({ clockMs: limitMs, processorMs: limitMs });
    try {
      using growth = new GrowthLimit();
      const answer = await this.#pool.run(task, { signal: AbortSignal.any([signal, limit.signal, growth.signal]) });
      if (answer.kind === 'broken') throw new Error(answer.message);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw unreadable('No searchable PDF can be made of the document: it is too large or too complex.', error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.destroy();
  }
}

/** Aborts when the process has grown too much: what inflates in a thread would end all of it. */
class GrowthLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    const before = process.memoryUsage.rss();
    this.#timer = setInterval(() => {
      if (process.memoryUsage.rss() - before > MOST_GROWTH_BYTES) this.#over.abort(new Error('too much memory'));
    }, LOOK_MS).unref();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function openPool({ threads, memoryMb }: OutputThreadsOptions): Piscina<OutputTask, OutputAnswer> {
  const pool = new Piscina<OutputTask, OutputAnswer>({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // A thread that reads strangers' documents needs none of our settings.
    env: {},
    recordTiming: false,
  });
  // A thread that ends while it has no task is replaced at the next one.
  pool.on('error', () => undefined);
  return pool;
}
