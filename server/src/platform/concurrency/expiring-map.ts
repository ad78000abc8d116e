/** From so many entries on, those that have expired are looked for. */
const FEW = 1000;

/**
 * A map whose entries have an end, in milliseconds of `performance.now()`. Expired ones are deleted whenever the map has
 * doubled: it is never much larger than what is in force.
 */
export class ExpiringMap<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly untilMs: number }>();
  #sweepAt = FEW;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key, nowMs = performance.now()): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && nowMs < entry.untilMs ? entry.value : undefined;
  }

  set(key: Key, value: Value, untilMs: number, nowMs = performance.now()): void {
    if (!this.#entries.has(key) && this.#entries.size >= this.#sweepAt) this.#sweep(nowMs);
    this.#entries.set(key, { value, untilMs });
  }

  #sweep(nowMs: number): void {
    for (const [key, { untilMs }] of this.#entries) if (untilMs <= nowMs) this.#entries.delete(key);
    this.#sweepAt = Math.max(FEW, 2 * this.#entries.size);
  }
}
