/**
 * How many words of a document may still be placed, by readers side by side: each has its share of what is left, and what is
 * given to those at work counts as placed until they say how many it was.
 */
export class PlacedWords {
  readonly #readers: number;
  #left: number;
  #atWork = 0;

  constructor(most: number, readers: number) {
    this.#left = most;
    this.#readers = readers;
  }

  /** For a reader that begins: so many at most. */
  take(): number {
    const share = Math.floor(this.#left / (this.#readers - this.#atWork));
    this.#atWork++;
    this.#left -= share;
    return share;
  }

  /** It has ended: of its share it has placed so many. */
  placed(words: number, share: number): void {
    this.#atWork--;
    this.#left += share - words;
  }
}
