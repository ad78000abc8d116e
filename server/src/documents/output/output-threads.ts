import { Piscina } from 'piscina';
import { unreadable } from '../formats/unreadable.ts';
import { TimeLimit } from '../limits/time-limit.ts';
import type { OutputAnswer, OutputTask } from './output-task.ts';

export interface OutputThreadsOptions {
  readonly threads: number;
  /** Most time for a task; each of its pages adds 200 ms. The thread is stopped for good then, and replaced. */
  readonly timeoutMs: number;
  /** Memory of one thread's heap. */
  readonly memoryMb: number;
}

const IDLE_MS = 15_000;
const PAGE_MS = 200;
/** Most bytes by which the process may grow during a task: Node bounds a thread's heap, but not its buffers. */
const MOST_GROWTH_BYTES = 1024 ** 3;
const LOOK_MS = 100;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './output-thread.ts' : './output-thread.js', import.meta.url)
  .href;

/** Threads that write PDFs: the library that reads the caller's file there may be slow, or never end. */
export class OutputThreads implements AsyncDisposable {
  readonly #options: OutputThreadsOptions;
  #pool: Piscina<OutputTask, OutputAnswer> | undefined;

  constructor(options: OutputThreadsOptions) {
    this.#options = options;
  }

  /**
   * Performs a task. Throws `unprocessable_entity` where the thread breaks, or time or memory are used up, and the signal's
   * reason when it aborts.
   */
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

/** Aborts its signal when the process has grown too much: a file that inflates in a thread would end the whole process. */
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
