import { readFile } from 'node:fs/promises';
import { Piscina } from 'piscina';
import { Gate } from '../gate.ts';
import type { PdfAnswer, PdfResults, PdfTask, PdfThreadData, PdfWork } from './pdf-task.ts';
import { unreadable } from './unreadable.ts';
import { webAssembly } from './web-assembly.ts';

export interface PdfThreadsOptions {
  readonly threads: number;
  /** Of one task; at its end the thread is stopped for good and replaced. */
  readonly timeoutMs: number;
  /** Of one thread, for its heap and for PDFium's memory each. */
  readonly memoryMb: number;
}

const IDLE_MS = 60_000;
const MB = 1024 * 1024;
/** A worker's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './pdf-thread.ts' : './pdf-thread.js', import.meta.url).href;
const NEVER = new AbortController().signal;

/** Threads that work on PDFs, so that a hostile one costs its thread and its time, and nothing else. */
export class PdfThreads implements AsyncDisposable {
  readonly #options: PdfThreadsOptions;
  readonly #turns: Gate;
  #pool: Promise<Piscina<PdfTask, PdfAnswer>> | undefined;

  constructor(options: PdfThreadsOptions) {
    this.#options = options;
    this.#turns = new Gate(options.threads);
  }

  /** Throws `unprocessable_entity` when the document is at fault, and the signal's reason when that aborts. */
  async run<K extends PdfWork['kind']>(
    task: PdfTask & { kind: K },
    signal: AbortSignal = NEVER,
  ): Promise<PdfResults[K]> {
    // The time of a task begins when a thread is free for it.
    using _turn = await this.#turns.acquire(signal);
    this.#pool ??= openPool(this.#options);
    const pool = await this.#pool;
    const answer = await this.#bounded(signal, (either) => pool.run(task, { signal: either }));
    if (answer.kind === 'done') return answer.value as PdfResults[K]; // the thread answers with what the task's kind says
    if (answer.kind === 'refused') throw unreadable(answer.message);
    throw unreadable('The PDF is corrupt or too complex: it cannot be read.', answer.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #bounded<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      return await work(AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw unreadable('The PDF takes too long to read.', error);
      if (isOutOfMemory(error)) throw unreadable('The PDF takes too much memory to read.', error);
      throw error;
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

async function openPool({ threads, memoryMb }: PdfThreadsOptions): Promise<Piscina<PdfTask, PdfAnswer>> {
  const code = await readFile(new URL('./pdfium.wasm', import.meta.resolve('@hyzyla/pdfium')));
  // Compiled once: the threads share the code, and a new one is ready at once.
  const workerData: PdfThreadData = { pdfium: await webAssembly.compile(code), maxBytes: memoryMb * MB };
  const pool = new Piscina<PdfTask, PdfAnswer>({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: threads,
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
