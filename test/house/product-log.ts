const KEPT_CHARACTERS = 200_000;

/** What a product wrote, the newest part of it. */
export class ProductLog {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT_CHARACTERS);
  }

  get text(): string {
    return this.#text;
  }
}
