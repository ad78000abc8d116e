import type { Ending } from './engine.ts';

const OPENS_AFTER = 5;
const OPEN_MS = 30_000;

/**
 * Leaves an engine alone that fails: transport errors, 5xx and timeouts in a row open its circuit for a while; then one
 * call may try. Refusals, unreadable files and the provider's 4xx say nothing about its health.
 */
export class Circuit {
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #trial = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= OPENS_AFTER && (this.#now() < this.#openUntil || this.#trial);
  }

  /** Takes note of how a call ended. */
  record(ending: Ending): void {
    this.#trial = false;
    if (!isFault(ending)) {
      this.#failures = 0;
      return;
    }
    this.#failures++;
    if (this.#failures >= OPENS_AFTER) this.#openUntil = this.#now() + OPEN_MS;
  }

  /** A call begins: the first one after the pause is the trial, and others wait for what becomes of it. */
  begin(): void {
    if (this.#failures >= OPENS_AFTER && this.#now() >= this.#openUntil) {
      this.#trial = true;
      this.#openUntil = this.#now() + OPEN_MS; // a trial that never ends does not keep the circuit open for ever
    }
  }
}

function isFault(ending: Ending): boolean {
  if (ending.kind === 'timeout') return true;
  return ending.kind === 'failed' && (ending.httpStatus === null || ending.httpStatus >= 500);
}
