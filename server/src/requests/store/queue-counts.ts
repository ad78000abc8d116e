/** How many requests wait, by engine and account. */
export class QueueCounts {
  readonly #byEngine = new Map<string, number>();
  readonly #byAccount = new Map<string, number>();
  readonly #byBoth = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  ofEngine(engine: string): number {
    return this.#byEngine.get(engine) ?? 0;
  }

  ofAccount(accountId: string): number {
    return this.#byAccount.get(accountId) ?? 0;
  }

  of(engine: string, accountId: string): number {
    return this.#byBoth.get(`${engine} ${accountId}`) ?? 0;
  }

  add(engine: string, accountId: string, requests: number): void {
    this.#total += requests;
    raise(this.#byEngine, engine, requests);
    raise(this.#byAccount, accountId, requests);
    raise(this.#byBoth, `${engine} ${accountId}`, requests);
  }

  addAll(others: QueueCounts): void {
    for (const [both, requests] of others.#byBoth) {
      const at = both.lastIndexOf(' '); // an account id has none
      this.add(both.slice(0, at), both.slice(at + 1), requests);
    }
  }
}

function raise(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
