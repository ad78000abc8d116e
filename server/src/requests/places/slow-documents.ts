import type { Engine } from '../../engines/model/engine.ts';

/** Slow documents of one account at once. With so many it begins nothing else. */
const MOST_OF_AN_ACCOUNT = 4;
/** Slow documents of all accounts at once, since each is in memory as far as it has come. A request beyond keeps its place. */
const MOST = 32;
/**
 * The share of an engine's places that one account may keep while its documents come. The others go to requests that can be
 * read.
 */
const SHARE_KEPT = 0.5;

/**
 * Counts the requests whose document takes long to come from its URL. They hold no place of their engine meanwhile; an
 * account with as many as it may have begins nothing else until one of them has come.
 */
export class SlowDocuments {
  readonly #counts = new Map<string, number>();
  /** Places that are kept, by engine and account. */
  readonly #kept = new Map<string, number>();
  readonly #onRoom: () => void;
  #total = 0;

  /** `onRoom` is called when an account at its limit may begin something again. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  /** Notes that a run keeps its place while its document comes; null where the account keeps as many as it may. */
  keep({ id, concurrency }: Pick<Engine, 'id' | 'concurrency'>, accountId: string): Disposable | null {
    const key = `${accountId} ${id}`;
    const most = Math.max(1, Math.floor(concurrency * SHARE_KEPT));
    if ((this.#kept.get(key) ?? 0) >= most) return null;
    change(this.#kept, key, 1);
    return { [Symbol.dispose]: () => change(this.#kept, key, -1) };
  }

  /**
   * Counts a slow document; null where the process has as many as it may. The account's own limit is not checked: the run has
   * begun.
   */
  begin(accountId: string): Disposable | null {
    if (this.#total >= MOST) return null;
    this.#count(accountId, 1);
    return { [Symbol.dispose]: () => this.#end(accountId) };
  }

  isAtLimit(accountId: string): boolean {
    return (this.#counts.get(accountId) ?? 0) >= MOST_OF_AN_ACCOUNT;
  }

  /** The accounts that begin nothing now. */
  get atLimit(): string[] {
    return [...this.#counts.keys()].filter((accountId) => this.isAtLimit(accountId));
  }

  #end(accountId: string): void {
    const wasAtLimit = this.isAtLimit(accountId);
    this.#count(accountId, -1);
    if (wasAtLimit && !this.isAtLimit(accountId)) this.#onRoom();
  }

  #count(accountId: string, by: 1 | -1): void {
    this.#total += by;
    change(this.#counts, accountId, by);
  }
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
