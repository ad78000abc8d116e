import { InFlight } from '../../platform/concurrency/in-flight.ts';
import type { OcrRequest } from '../model/ocr-request.ts';

/** Callers that wait for requests of this process to end; the result is handed over with its text. */
export class Waiters {
  readonly #waiters = new InFlight<string, Set<(request: OcrRequest) => void>>();

  /** Resolves with the finished request, or with null when `signal` aborts first. */
  until(id: string, signal: AbortSignal): Promise<OcrRequest | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters);
      const done = (request: OcrRequest | null) => {
        waiters.delete(done);
        if (waiters.size === 0) this.#waiters.delete(id);
        signal.removeEventListener('abort', giveUp);
        resolve(request);
      };
      const giveUp = () => done(null);
      waiters.add(done);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  has(id: string): boolean {
    return this.#waiters.has(id);
  }

  /** Hands the finished request to everyone who waits for it. */
  resolve(request: OcrRequest): void {
    for (const done of this.#waiters.get(request.id) ?? []) done(request);
  }
}
