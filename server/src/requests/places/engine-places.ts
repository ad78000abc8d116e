import type { Engine } from '../../engines/model/engine.ts';

type Sized = Pick<Engine, 'id' | 'concurrency'>;

/** A run that waits to have a place again. */
interface Returning {
  readonly engine: Sized;
  readonly take: () => void;
}

/** The places of each engine in this process: as many as its `concurrency`. */
export class EnginePlaces {
  readonly #busy = new Map<string, number>();
  /** Callers of `untilFree`, by engine. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Runs that gave their place back for a while, by engine: they go before requests that have not begun. */
  readonly #returning = new Map<string, Returning[]>();

  free({ id, concurrency }: Sized): number {
    return concurrency - (this.#busy.get(id) ?? 0);
  }

  take(engineId: string, places = 1): void {
    this.#busy.set(engineId, (this.#busy.get(engineId) ?? 0) + places);
  }

  giveBack(engineId: string, places = 1): void {
    this.#busy.set(engineId, (this.#busy.get(engineId) ?? 0) - places);
    this.#letReturn(engineId);
    this.#wakeWaiting(engineId);
  }

  /** Takes a place as soon as there is one; rejects with the signal's reason when it aborts first. */
  async retake(engine: Sized, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free(engine) > 0) return this.take(engine.id);
    await new Promise<void>((resolve, reject) => {
      const line = this.#returning.get(engine.id) ?? [];
      this.#returning.set(engine.id, line);
      const returning: Returning = {
        engine,
        take: () => {
          signal.removeEventListener('abort', leave);
          this.take(engine.id);
          resolve();
        },
      };
      const leave = () => {
        line.splice(line.indexOf(returning), 1);
        reject(signal.reason);
      };
      line.push(returning);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Resolves when a place of the engine was given back, or at `wakeAll`. It takes no place. */
  async untilFree(engineId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.set(engineId, [...(this.#waiting.get(engineId) ?? []), resolve]);
    });
  }

  #wakeWaiting(engineId: string): void {
    const waiting = this.#waiting.get(engineId) ?? [];
    this.#waiting.delete(engineId);
    for (const resolve of waiting) resolve();
  }

  wakeAll(): void {
    for (const engineId of [...this.#waiting.keys()]) this.#wakeWaiting(engineId);
  }

  #letReturn(engineId: string): void {
    const line = this.#returning.get(engineId) ?? [];
    while (line[0] && this.free(line[0].engine) > 0) line.shift()?.take();
    if (line.length === 0) this.#returning.delete(engineId);
  }
}
