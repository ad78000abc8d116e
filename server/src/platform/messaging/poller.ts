import { LiveStream } from './live-stream.ts';

const LOOK_MS = 2000;

/** Polls a value while it has subscribers, once for all of them; they get what has changed. */
export class Poller<T> implements Disposable {
  readonly #read: () => Promise<T>;
  readonly #essence: (value: T) => unknown;
  readonly #streams = new Set<LiveStream<T>>();
  #timer: NodeJS.Timeout | undefined;
  #last: string | null = null;
  #isLooking = false;

  /** `essence`: the part whose change is passed on. */
  constructor(read: () => Promise<T>, essence: (value: T) => unknown) {
    this.#read = read;
    this.#essence = essence;
  }

  /** Begins with how it is now. */
  async watch(): Promise<LiveStream<T>> {
    const stream = new LiveStream<T>(() => this.#leave(stream));
    stream.push(await this.#read());
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => void this.#look().catch(noMatter), LOOK_MS).unref();
    return stream;
  }

  /** Looks, unless the look before is not over: a slow database is not asked the same again and again. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#tell(await this.#read());
    } finally {
      this.#isLooking = false;
    }
  }

  #tell(value: T): void {
    const essence = JSON.stringify(this.#essence(value));
    if (essence === this.#last) return;
    this.#last = essence;
    for (const stream of this.#streams) stream.push(value);
  }

  #leave(stream: LiveStream<T>): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#last = null;
  }
}

/** The next look finds out. */
function noMatter(): void {}
