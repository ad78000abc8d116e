/** Documents of an account that are waited for beside the engines' places: with so many it begins nothing else. */
const MOST_OF_AN_ACCOUNT = 4;
/** Of all accounts, each in memory as far as it has come: beyond that a request keeps its place. */
const MOST = 32;

/**
 * Counts the requests whose document takes long to come from its address. They hold no place of their engine
 * meanwhile; an account that has as many as it may begins nothing else until one of them has come.
 */
export class SlowDocuments {
  readonly #counts = new Map<string, number>();
  readonly #onRoom: () => void;
  #total = 0;

  /** `onRoom` is called when an account may begin something again. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
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

  #count(accountId: string, change: 1 | -1): void {
    this.#total += change;
    const count = (this.#counts.get(accountId) ?? 0) + change;
    if (count > 0) this.#counts.set(accountId, count);
    else this.#counts.delete(accountId);
  }
}
