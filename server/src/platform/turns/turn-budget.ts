import { SingleTurns } from '../concurrency/single-turns.ts';

/** Pieces of work of which so many are done in each turn of the event loop, by all that share them: others have turns between. */
export class TurnBudget {
  readonly #most: number;
  readonly #turns = new SingleTurns();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a piece of this turn; false where none is left: `next` is to be waited for then. */
  take(): boolean {
    if (this.#taken === this.#most) return false;
    if (this.#taken++ === 0) setImmediate(() => (this.#taken = 0));
    return true;
  }

  /** Resolves in a later turn: each time another one of those that wait. */
  next(): Promise<void> {
    return this.#turns.next('');
  }
}
