/** Chance that is the same for the same seed, on every machine. */
export class Dice {
  #state: number;

  constructor(...seed: readonly (string | number)[]) {
    this.#state = hash(seed.join(' '));
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something of this likelihood, 0 to 1, happens. */
  happens(likelihood: number): boolean {
    return this.next() < likelihood;
  }

  /** A whole number, both bounds included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of several, by their weights. */
  pick<T extends { readonly weight: number }>(choices: readonly T[]): T {
    const total = choices.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.next() * total;
    for (const choice of choices) {
      left -= choice.weight;
      if (left < 0) return choice;
    }
    const last = choices.at(-1);
    if (!last) throw new Error('there is nothing to pick from');
    return last;
  }

  /** Around a median, with a long tail to the right, as latencies are. */
  skewed(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value;
}
