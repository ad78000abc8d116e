import type { ServerResponse } from 'node:http';

const LOOK_MS = 1000;
/** Least rate of a reader: one that takes a byte now and then does not read. */
const LEAST_BYTES_PER_SECOND = 16 * 1024;

interface Waiting {
  readonly since: number;
  /** Bytes that the peer had taken by then. */
  readonly taken: number;
}

/** Cuts off clients that do not read their answers, which stay in memory until they are read. */
export class UnreadAnswers implements Disposable {
  readonly #patienceMs: number;
  readonly #open = new Map<ServerResponse, Waiting | null>();
  readonly #timer: NodeJS.Timeout;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, patienceMs)).unref();
  }

  watch(res: ServerResponse): void {
    this.#open.set(res, null);
    res.once('close', () => this.#open.delete(res));
  }

  #look(): void {
    const now = performance.now();
    for (const [res, waiting] of this.#open) {
      const { socket } = res;
      if (!socket || res.writableLength === 0) this.#open.set(res, null);
      else {
        const taken = socket.bytesWritten - socket.writableLength;
        const from = waiting ?? { since: now, taken };
        this.#open.set(res, from);
        const allowedMs = this.#patienceMs + ((taken - from.taken) / LEAST_BYTES_PER_SECOND) * 1000;
        if (now - from.since > allowedMs) res.destroy();
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
