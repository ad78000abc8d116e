import { append, emptyFeed, type Feed, release, take } from './feed.ts';

interface Row {
  readonly id: string;
}

/** One page of older rows. */
interface FeedPage<R extends Row> {
  readonly rows: readonly R[];
  readonly endCursor: string | null;
  readonly hasMore: boolean;
  /** Where a search for a text has stopped before the page was full: when the last one was accepted that it looked at. */
  readonly searchedTo?: string | null;
}

export interface FeedSource<R extends Row> {
  /** The newest page, or the one behind a cursor: the id of its last row. */
  readonly page: (after: string | null) => Promise<FeedPage<R>>;
  /** These rows as they are now; `MOST_ASKED` at a time. */
  readonly rows: (ids: readonly string[]) => Promise<readonly R[]>;
  readonly wanted: (row: R) => boolean;
}

export interface FeedState<R extends Row> extends Feed<R> {
  readonly loading: boolean;
  readonly failure: Error | null;
  /** As of the last page. */
  readonly searchedTo: string | null;
}

/** How long changes gather before their rows are asked for: as often as eyes can follow. */
const GATHER_MS = 400;
export const MOST_ASKED = 100;
/** Changes in one gathering beyond which the top is loaded anew instead. */
const MOST_GATHERED = 3 * MOST_ASKED;
/** A list that has followed for so long starts again from its top. */
const MOST_ROWS = 20_000;

/** The live list: pages backwards from its end, changes at its top, held on request. Observed with `subscribe`. */
export class RequestFeed<R extends Row> {
  readonly #source: FeedSource<R>;
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<string>();
  #state: FeedState<R> = { ...emptyFeed<R>(), loading: true, failure: null, searchedTo: null };
  #cursor: string | null = null;
  #held = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Rises with every fresh start, so that answers to questions from before it are dropped. */
  #round = 0;

  constructor(source: FeedSource<R>) {
    this.#source = source;
  }

  readonly state = (): FeedState<R> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the newest page; what stands there stays until it is there. */
  readonly reload = async (): Promise<void> => {
    this.#round += 1;
    this.#changed.clear();
    await this.#load(null);
  };

  /** Loads the next older page. */
  readonly loadMore = async (): Promise<void> => {
    if (this.#state.loading || !this.#state.hasMore || this.#state.failure !== null) return;
    await this.#load(this.#cursor);
  };

  /** Asks once more for a page that did not come. */
  readonly retryMore = (): Promise<void> => this.#load(this.#state.rows.length === 0 ? null : this.#cursor);

  /** Something happened to a request; `relevant` is false when the filter cannot want it. */
  note(id: string, relevant: boolean): void {
    const known = this.#state.rows.some((row) => row.id === id) || this.#state.waiting.some((row) => row.id === id);
    if (!relevant && !known) return;
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => void this.#ask(), GATHER_MS);
  }

  /** Takes what changed while the connection was away; without all of it, the list starts again from its top. */
  catchUp(changed: readonly R[], isAll: boolean): void {
    if (isAll) this.#take(changed);
    else if (this.#held) this.#set({ overflowed: true });
    else void this.reload();
  }

  /** Holds the list still, or lets it follow again. */
  hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    if (!held) this.showWaiting();
  }

  /** Lets in what waits, even while the list is held. */
  readonly showWaiting = (): void => {
    if (this.#state.overflowed || this.#state.rows.length > MOST_ROWS) void this.reload();
    else this.#set(release(this.#state));
  };

  close(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#state = { ...this.#state, loading: false }; // what was on its way is dropped; it may be opened again
  }

  async #load(after: string | null): Promise<void> {
    const round = this.#round;
    this.#set({ loading: true, failure: null });
    try {
      const page = await this.#source.page(after);
      if (round !== this.#round) return;
      this.#cursor = page.endCursor ?? this.#cursor;
      const before = after === null ? emptyFeed<R>() : this.#state;
      const searchedTo = page.searchedTo ?? null;
      this.#set({ ...append(before, page.rows, page.hasMore), searchedTo, loading: false });
    } catch (error) {
      if (round === this.#round) this.#set({ loading: false, failure: error as Error }); // what a source throws
    }
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const round = this.#round;
    const ids = [...this.#changed];
    this.#changed.clear();
    if (ids.length > MOST_GATHERED) {
      if (this.#held) this.#set({ overflowed: true });
      else await this.reload();
      return;
    }
    for (let at = 0; at < ids.length; at += MOST_ASKED) {
      const changed = await this.#source.rows(ids.slice(at, at + MOST_ASKED)).catch(() => []);
      if (round !== this.#round) return;
      this.#take(changed);
    }
  }

  #take(changed: readonly R[]): void {
    const before = this.#state.rows.at(-1)?.id;
    this.#set(take(this.#state, changed, { held: this.#held, wanted: this.#source.wanted }));
    const last = this.#state.rows.at(-1)?.id;
    // The oldest rows have gone: the next page is what comes behind those that stay.
    if (before !== undefined && last !== undefined && last > before) this.#cursor = last;
  }

  #set(next: Partial<FeedState<R>>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }
}
