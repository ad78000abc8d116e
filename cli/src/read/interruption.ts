/** Listens for Ctrl-C (SIGINT, SIGTERM): the first one lets nothing more begin, the second one ends what runs. */
export class Interruption implements Disposable {
  readonly #over = new AbortController();
  readonly #onSignal: () => void;
  #times = 0;

  constructor(onFirst: () => void) {
    this.#onSignal = () => {
      this.#times += 1;
      if (this.#times === 1) onFirst();
      else this.#over.abort(new Error('interrupted'));
    };
    process.on('SIGINT', this.#onSignal);
    process.on('SIGTERM', this.#onSignal);
  }

  get isAsked(): boolean {
    return this.#times > 0;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onSignal);
  }
}
