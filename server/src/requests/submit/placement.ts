import type { Reservation } from '../run/worker.ts';
import type { Joining } from './pressure.ts';

/** Where a request that is about to be accepted goes: to a place of this process, which starts it at once, or to the queue. */
export class Placement {
  readonly #join: () => Joining;
  #place: Reservation | null;
  #joining: Joining | null = null;

  /** `join` throws `engine_unavailable` where the queue is full. */
  constructor(place: Reservation | null, join: () => Joining) {
    this.#place = place;
    this.#join = join;
  }

  /** Null for what queues. */
  get place(): Reservation | null {
    return this.#place;
  }

  /** Where it joins the queue; null for what starts at once. */
  get level(): number | null {
    return this.#joining?.level ?? null;
  }

  /** It goes to the queue; whatever place it had is another's. */
  queue(): void {
    this.release();
    this.#joining ??= this.#join();
  }

  /** Its acceptance has an answer, or has failed. */
  ended(): void {
    this.#joining?.ended();
  }

  /** Gives back a place on which nothing was started. */
  release(): void {
    this.#place?.release();
    this.#place = null;
  }
}
