/** How many values a reader may fall behind before its stream ends. */
const MOST_UNREAD = 1000;

/** Values that are pushed to one reader. It keeps them from its creation on, so nothing is missed before reading begins. */
export class LiveStream<T> implements AsyncIterableIterator<T> {
  readonly #onEnd: (stream: LiveStream<T>) => void;
  readonly #unread: T[] = [];
  #reader: PromiseWithResolvers<IteratorResult<T>> | null = null;
  #ended = false;
  #failure: Error | null = null;

  /** `onEnd` is called when the reader has left, or was too slow. */
  constructor(onEnd: (stream: LiveStream<T>) => void) {
    this.#onEnd = onEnd;
  }

  /** Ends the stream of a reader that is too slow: it can subscribe again, and ask for what it missed by its cursor. */
  push(value: T): void {
    if (this.#ended) return;
    if (this.#reader) {
      this.#reader.resolve({ value, done: false });
      this.#reader = null;
    } else if (this.#unread.push(value) > MOST_UNREAD) {
      this.fail();
    }
  }

  /** Ends the stream with an error: values for its reader came faster than it could be given them. */
  fail(): void {
    if (this.#ended) return;
    this.#failure = new Error('the subscriber reads too slowly');
    this.#reader?.reject(this.#failure);
    this.#reader = null;
    this.#end();
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.#failure) throw this.#failure;
    const [value] = this.#unread.splice(0, 1);
    if (value !== undefined) return { value, done: false };
    if (this.#ended) return { value: undefined, done: true };
    this.#reader = Promise.withResolvers<IteratorResult<T>>();
    return this.#reader.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.#end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#unread.length = 0;
    this.#reader?.resolve({ value: undefined, done: true });
    this.#onEnd(this);
  }
}
