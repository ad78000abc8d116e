import type { Engine } from '../../engines/model/engine.ts';

/** Documents of an account that are waited for beside the engines' places: with so many it begins nothing else. */
const MOST_OF_AN_ACCOUNT = 4;
/** Of all accounts, each in memory as far as it has come: beyond that a request keeps its place. */
const MOST = 32;
/** Of an engine's places, what an account may keep while its documents come: the others are for who has something to read. */
const SHARE_KEPT = 0.5;

/**
 * Counts the requests whose document takes long to come from its address. They hold no place of their engine
 * meanwhile; an account that has as many as it may begins nothing else until one of them has come.
 */
export class SlowDocuments {
  readonly #counts = new Map<string, number>();
  /** Places that are kept, by engine and account. */
  readonly #kept = new Map<string, number>();
  readonly #onRoom: () => void;
  #total = 0;

  /** `onRoom` is called when an account may begin something again. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  /** Keeps a place of an engine for a document that comes; null where the account keeps as many as it may. */
  keep({ id, concurrency }: Pick<Engine, 'id' | 'concurrency'>, accountId: string): Disposable | null {
    const key = `${accountId} ${id}`;
    const most = Math.max(1, Math.floor(concurrency * SHARE_KEPT));
    if ((this.#kept.get(key) ?? 0) >= most) return null;
    change(this.#kept, key, 1);
    return { [Symbol.dispose]: () => change(this.#kept, key, -1) };
  }

  /** Null where the process has as many as it may. What an account had begun before it had its own counts beyond them. */
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
