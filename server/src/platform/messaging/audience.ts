import type { TurnBudget } from '../turns/turn-budget.ts';
import { LiveStream } from './live-stream.ts';

/** Most changes that wait to be told. */
const MOST_WAITING = 1000;

interface Subscriber<Change> {
  readonly stream: LiveStream<Change>;
  /** Null for the changes of every request. */
  readonly requestId: string | null;
  /** The number of the latest change before it joined. */
  readonly since: number;
}

/**
 * The subscribers of one topic. A few are told of a change at once. Of many, some are told in each turn, and others have turns
 * between them, other topics too; each of them gets its changes in their order.
 */
export class Audience<Change extends { readonly requestId: string }> {
  readonly #turns: TurnBudget;
  readonly #subscribers = new Set<Subscriber<Change>>();
  readonly #waiting: { readonly change: Change; readonly number: number }[] = [];
  #number = 0;
  #isTelling = false;
  #isTooSlow = false;

  /** `turns`: those of all topics of a process. */
  constructor(turns: TurnBudget) {
    this.#turns = turns;
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  /** The changes from now on, of one request where it is named. `onLeave` is called when the stream has ended. */
  join(requestId: string | null, onLeave: () => void): LiveStream<Change> {
    const stream = new LiveStream<Change>(() => {
      this.#subscribers.delete(subscriber);
      onLeave();
    });
    const subscriber = { stream, requestId, since: this.#number };
    this.#subscribers.add(subscriber);
    return stream;
  }

  /** Tells a change. Where too many wait already all streams end: their readers may subscribe again, and ask for what they missed. */
  tell(change: Change): void {
    if (this.#isTooSlow) return;
    this.#isTooSlow = this.#waiting.push({ change, number: ++this.#number }) > MOST_WAITING;
    if (!this.#isTelling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { change, number } = next;
      await this.#each(
        ({ requestId, since }) => since < number && (requestId === null || requestId === change.requestId),
        ({ stream }) => stream.push(change),
      );
      if (this.#isTooSlow) await this.#endAll();
    }
    this.#isTelling = false;
  }

  async #endAll(): Promise<void> {
    this.#waiting.length = 0;
    const number = this.#number;
    this.#isTooSlow = false; // for those who come now
    await this.#each(
      ({ since }) => since < number,
      ({ stream }) => stream.fail(),
    );
  }

  async #each(
    isMeant: (subscriber: Subscriber<Change>) => boolean,
    tell: (subscriber: Subscriber<Change>) => void,
  ): Promise<void> {
    for (const subscriber of [...this.#subscribers].filter(isMeant)) {
      while (!this.#turns.take()) await this.#turns.next();
      tell(subscriber);
    }
  }
}
