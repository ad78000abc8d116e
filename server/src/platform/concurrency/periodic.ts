export interface PeriodicOptions {
  /** The pause between the end of a run and the next one, in milliseconds; asked for after each run where it varies. */
  readonly everyMs: number | (() => number);
  /** The pause before the first run. */
  readonly firstAfterMs?: number;
  /** Hears of a run that has failed; the next one comes as usual. */
  readonly onError: (error: unknown) => void;
}

/**
 * Work that is done again and again, one run at a time. Disposing of it starts no further run and waits for the one that
 * is under way. No timer of it keeps the process alive.
 */
export class Periodic implements AsyncDisposable {
  readonly #work: (stop: AbortSignal) => Promise<void>;
  readonly #options: PeriodicOptions;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStarted = false;

  constructor(work: (stop: AbortSignal) => Promise<void>, options: PeriodicOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Starts it, once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#schedule(this.#options.firstAfterMs ?? 0);
  }

  #schedule(pauseMs: number): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, pauseMs).unref();
  }

  async #run(): Promise<void> {
    const { everyMs, onError } = this.#options;
    try {
      await this.#work(this.#stop.signal);
    } catch (error) {
      onError(error);
    }
    this.#schedule(typeof everyMs === 'number' ? everyMs : everyMs());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the process stops'));
    clearTimeout(this.#timer);
    await this.#running;
  }
}
