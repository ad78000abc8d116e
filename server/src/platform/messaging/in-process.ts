import type { Dispatch, Hint } from './dispatch.ts';

/** Dispatch where one process does everything: a hint is a function call. */
export class InProcessDispatch implements Dispatch {
  #take: ((engineId: string) => Promise<void>) | null = null;

  queued({ engineId }: Hint): void {
    void this.#take?.(engineId);
  }

  serve(_engineIds: readonly string[], take: (engineId: string) => Promise<void>): void {
    this.#take = take;
  }

  /** Those who wait are in this process, and were notified. */
  ended(): void {}

  onEnded(): void {}

  cancel(): void {}

  onCancel(): void {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#take = null;
  }
}
