/** Says that there may be something to do, to the one who does it; what is said before that one listens is not kept. */
export class WakeUp {
  #listener: (() => void) | undefined;

  /** Replaces the one who listened before. */
  onWake(listener: () => void): void {
    this.#listener = listener;
  }

  wake(): void {
    this.#listener?.();
  }
}
