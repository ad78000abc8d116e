/**
 * The words of a document that may still be located, shared by several readers. A reader takes its share of what is left when it
 * begins, and gives back what it did not use when it ends.
 */
export class WordBudget {
  readonly #readers: number;
  #left: number;
  #atWork = 0;

  constructor(most: number, readers: number) {
    this.#left = most;
    this.#readers = readers;
  }

  /** Takes the share of words that a reader which begins may locate. */
  take(): number {
    const share = Math.floor(this.#left / (this.#readers - this.#atWork));
    this.#atWork++;
    this.#left -= share;
    return share;
  }

  /** Gives back the rest of a reader that has ended: it has located `words` of its `share`. */
  used(words: number, share: number): void {
    this.#atWork--;
    this.#left += share - words;
  }
}
