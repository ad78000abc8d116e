/** Holds a value until it is taken out. */
interface Slot<Value> {
  value: Value | undefined;
}

/**
 * What is under way at the moment, by key and in the order in which it began: a Map for entries that come and go with each
 * request.
 *
 * V8 replaces a Map's table again and again while entries come and go, and each table it leaves behind points to the next.
 * Once one of them is old, all that follow are kept until the next collection of everything, with whatever they held when they
 * were left: each request would be copied twice and marked once, instead of dying young. So the table holds slots, and a
 * slot is emptied when its entry is deleted.
 */
export class InFlight<Key extends string | number, Value extends object> {
  readonly #slots = new Map<Key, Slot<Value>>();

  get size(): number {
    return this.#slots.size;
  }

  get(key: Key): Value | undefined {
    return this.#slots.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#slots.has(key);
  }

  /** Takes the place of what was under this key. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#slots.set(key, { value });
  }

  delete(key: Key): void {
    const slot = this.#slots.get(key);
    if (!slot) return;
    slot.value = undefined;
    this.#slots.delete(key);
  }

  *values(): Generator<Value> {
    for (const { value } of this.#slots.values()) if (value) yield value;
  }

  *entries(): Generator<[Key, Value]> {
    for (const [key, { value }] of this.#slots) if (value) yield [key, value];
  }
}
