import { cleanText } from '../../database/storable.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { ProviderSaid, ProviderWordStore } from './provider-word-store.ts';

const WRITE_EVERY_MS = 1000;
/** The same words again are written so seldom: an engine that fails a thousand times a second writes no more rows. */
const AGAIN_MS = 60_000;

/** Notes in memory what providers say of calls that failed, one entry an engine, and writes what is new once a second. */
export class ProviderWords implements AsyncDisposable {
  readonly #store: Pick<ProviderWordStore, 'write'>;
  readonly #periodic: Periodic;
  readonly #waiting = new Map<string, ProviderSaid>();
  readonly #written = new Map<string, ProviderSaid>();

  constructor(store: Pick<ProviderWordStore, 'write'>, log: Log) {
    this.#store = store;
    this.#periodic = new Periodic(() => this.write(), {
      everyMs: WRITE_EVERY_MS,
      firstAfterMs: WRITE_EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'the words of providers were not written'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  note(engineId: string, fault: ProviderFault, words: string, at = new Date()): void {
    const known = this.#written.get(engineId);
    const said = { fault, words: cleanText(words), at };
    const isKnown = known?.fault === fault && known.words === said.words;
    if (isKnown && at.getTime() - known.at.getTime() < AGAIN_MS) this.#waiting.delete(engineId);
    else this.#waiting.set(engineId, said);
  }

  /** What could not be written waits for the next time, or for newer words. */
  async write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const taken = new Map(this.#waiting);
    await this.#store.write(taken);
    for (const [engineId, said] of taken) {
      this.#written.set(engineId, said);
      if (this.#waiting.get(engineId) === said) this.#waiting.delete(engineId);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
  }
}
