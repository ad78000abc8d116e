import { cleanText } from '../../database/storable.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { ProviderSaid, ProviderWordStore } from './provider-word-store.ts';

const WRITE_EVERY_MS = 1000;
/** The same words again are written so seldom: an engine that fails a thousand times a second writes no more rows. */
const AGAIN_MS = 60_000;

/** Notes in memory what providers say of calls that failed, the newest of each engine, and writes what is new once a second. */
export class ProviderWords implements AsyncDisposable {
  readonly #store: Pick<ProviderWordStore, 'write'>;
  readonly #log: Log;
  readonly #periodic: Periodic;
  readonly #said = new Map<string, ProviderSaid>();
  readonly #written = new Map<string, ProviderSaid>();

  constructor(store: Pick<ProviderWordStore, 'write'>, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#periodic = new Periodic(() => this.write(), {
      everyMs: WRITE_EVERY_MS,
      firstAfterMs: WRITE_EVERY_MS,
      onError: (error) => this.#failed(error),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  note(engineId: string, fault: ProviderFault, words: string, at = new Date()): void {
    this.#said.set(engineId, { fault, words: cleanText(words), at });
  }

  /** What could not be written is tried again the next time. */
  async write(): Promise<void> {
    const fresh = new Map([...this.#said].filter(([engineId, said]) => isNew(said, this.#written.get(engineId))));
    if (fresh.size === 0) return;
    await this.#store.write(fresh);
    for (const [engineId, said] of fresh) this.#written.set(engineId, said);
  }

  #failed(error: unknown): void {
    this.#log.warn({ err: error }, 'the words of providers were not written');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
    await this.write().catch((error: unknown) => this.#failed(error));
  }
}

function isNew(said: ProviderSaid, written: ProviderSaid | undefined): boolean {
  if (said.fault !== written?.fault || said.words !== written.words) return true;
  return said.at.getTime() - written.at.getTime() >= AGAIN_MS;
}
