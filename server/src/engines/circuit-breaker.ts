import type { Ending } from './model/engine.ts';

const OPENS_AFTER = 5;
const OPEN_MS = 30_000;

/**
 * The circuit breaker of an engine: transport errors, 5xx and timeouts in a row open it for a while; then one trial call
 * may run. Refusals, unreadable files and the provider's 4xx say nothing about its health.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #trial = false;
  #waiting: (() => void)[] = [];

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= OPENS_AFTER && (this.#now() < this.#openUntil || this.#trial);
  }

  /**
   * Asks for a call that is made at once if the answer is true. While the circuit is open, a call that is not `patient`
   * is refused; while a trial call runs, all others wait for its end. Rejects with the signal's reason.
   */
  async enter({ patient, signal }: { patient: boolean; signal: AbortSignal }): Promise<boolean> {
    for (;;) {
      signal.throwIfAborted();
      if (!this.isOpen) {
        this.begin();
        return true;
      }
      if (!this.#trial && !patient) return false;
      await this.#changed(signal);
    }
  }

  /** Takes note of how a call ended. */
  record(ending: Ending): void {
    if (!isFault(ending)) this.#failures = 0;
    else if (++this.#failures >= OPENS_AFTER) this.#openUntil = this.#now() + OPEN_MS;
    this.forget();
  }

  /** A call was ended from our side: that says nothing, and another one may try. */
  forget(): void {
    this.#trial = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** A call begins: the first one after the pause is the trial. */
  begin(): void {
    if (this.#failures >= OPENS_AFTER && this.#now() >= this.#openUntil) this.#trial = true;
  }

  /** Waits until a call has ended, or for the end of the pause. */
  async #changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#waiting.push(wake);
    const timer = this.#trial ? undefined : setTimeout(wake, this.#openUntil - this.#now());
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}

function isFault(ending: Ending): boolean {
  if (ending.kind === 'timeout') return true;
  return ending.kind === 'failed' && (ending.httpStatus === null || ending.httpStatus >= 500);
}
