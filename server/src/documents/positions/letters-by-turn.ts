/** Counts the letters of a page's lines by the direction of the lines: quarter turns with the clock. */
export class LettersByTurn {
  readonly #width: number;
  readonly #height: number;
  readonly #letters = new Map<number, number>();

  constructor({ width, height }: { width: number; height: number }) {
    this.#width = width;
    this.#height = height;
  }

  /** Counts the letters of a line. Its box begins where its text does, and its first side runs along it. */
  add([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[], letters: number): void {
    const direction = Math.atan2((y2 - y1) * this.#height, (x2 - x1) * this.#width);
    const quarter = ((Math.round(direction / (Math.PI / 2)) % 4) + 4) % 4;
    this.#letters.set(quarter, (this.#letters.get(quarter) ?? 0) + letters);
  }

  /** Degrees of the turn that sets most of the text upright, clockwise. */
  get angle(): number {
    const [most = [0]] = [...this.#letters].sort(([, a], [, b]) => b - a);
    return (360 - most[0] * 90) % 360;
  }
}
