import { readFile } from 'node:fs/promises';
import { Piscina } from 'piscina';
import { unreadable } from '../formats/unreadable.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { TimeLimit } from '../limits/time-limit.ts';
import { Turns } from '../limits/turns.ts';
import { webAssembly } from './library/web-assembly.ts';
import {
  BROKEN,
  type PdfAnswer,
  type PdfResults,
  type PdfSource,
  type PdfTask,
  type PdfThreadData,
  type PdfWork,
} from './pdf-task.ts';

export interface PdfThreadsOptions {
  /** Threads for one account's documents; there is one more for those of others. */
  readonly threads: number;
  /** Most time for one task; the thread is stopped for good then, and replaced. */
  readonly timeoutMs: number;
  /** Memory of one thread: for its heap, and as much for PDFium. */
  readonly memoryMb: number;
}

/**
 * How long an idle thread is kept: it holds a hundred megabytes and more after a dense document, and a new one is ready in a
 * tenth of a second.
 */
const IDLE_MS = 15_000;
const MB = 1024 * 1024;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './pdf-thread.ts' : './pdf-thread.js', import.meta.url).href;
/** Processor time in milliseconds for opening a document, and for anything that is done before a request is accepted. */
const OPENING_MS = 3000;

/** Threads that work on PDFs, so that a hostile one costs only its thread and its time. */
export class PdfThreads implements AsyncDisposable {
  readonly #options: PdfThreadsOptions;
  readonly #turns: Turns;
  #pool: Promise<Piscina<PdfTask, PdfAnswer>> | undefined;

  constructor(options: PdfThreadsOptions) {
    this.#options = options;
    this.#turns = new Turns(options.threads);
  }

  /**
   * Performs a task in a thread. Throws `unprocessable_entity` where the document is at fault, 503 where it has waited too long
   * to be opened, and the signal's reason when that aborts. The source is made in the task's turn, because it is a copy of the
   * document.
   */
  async run<K extends PdfWork['kind']>(
    source: () => PdfSource,
    work: PdfWork & { kind: K },
    client: DocumentClient = {},
  ): Promise<PdfResults[K]> {
    // The time of a task begins when a thread is free for it.
    using _turn = await this.#turns.take(client);
    const pool = await this.#openPool();
    const task: PdfTask = { source: source(), ...work };
    const short = work.kind === 'inspect' || client.opening === true;
    const answer = await this.#bounded(client, short, (either) => pool.run(task, { signal: either }));
    if (answer.kind === 'done') return answer.value as PdfResults[K]; // the thread answers with what the task's kind says
    throw unreadable(answer.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  /** The pool, opened once for all tasks. */
  #openPool(): Promise<Piscina<PdfTask, PdfAnswer>> {
    this.#pool ??= openPool(this.#options, this.#turns.most).catch((error: unknown) => {
      this.#pool = undefined; // the next task may find the memory or the descriptor that was missing
      throw error;
    });
    return this.#pool;
  }

  async #bounded<T>(
    { party, signal }: DocumentClient,
    short: boolean,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs: clockMs } = this.#options;
    using limit = new TimeLimit({ clockMs, processorMs: short ? Math.min(OPENING_MS, clockMs) : clockMs });
    try {
      return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch (error) {
      signal?.throwIfAborted();
      const fault = limit.signal.aborted ? 'The PDF takes too long to read.' : faultOf(error);
      if (fault === null) throw error;
      this.#turns.failed(party, limit.elapsedMs);
      throw unreadable(fault, error);
    }
  }
}

/** The fault of a document that has ended its thread; null where it is not to blame. */
function faultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === BROKEN) return 'The PDF is corrupt or too complex: it cannot be read.';
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return outOfMemory ? 'The PDF takes too much memory to read.' : null;
}

async function openPool({ memoryMb }: PdfThreadsOptions, most: number): Promise<Piscina<PdfTask, PdfAnswer>> {
  const code = await readFile(new URL('./pdfium.wasm', import.meta.resolve('@hyzyla/pdfium')));
  // Compiled once: the threads share the code, and a new one is ready at once.
  const workerData: PdfThreadData = { pdfium: await webAssembly.compile(code), maxBytes: memoryMb * MB };
  const pool = new Piscina<PdfTask, PdfAnswer>({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: most,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData,
    // A thread that reads strangers' documents needs none of our settings.
    env: {},
    recordTiming: false,
  });
  // A thread that ends while it has no task is replaced at the next one.
  pool.on('error', () => undefined);
  return pool;
}
