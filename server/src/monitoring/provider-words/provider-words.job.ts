import { cleanText } from '../../database/storable.ts';
import type { Words } from '../../engines/engine-runner.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { ProviderWordStore, SaidToRequest } from './provider-word-store.ts';

const WRITE_EVERY_MS = 1000;
/** Milliseconds after which words are deleted once their request was; they are hidden at once. */
const FORGET_EVERY_MS = 10_000;
/** Least milliseconds between writing the same words: an engine that fails a thousand times a second writes no more rows. */
const AGAIN_MS = 60_000;

/**
 * Notes in memory what providers say of calls that failed, the newest words of each engine, and writes what is new once a second.
 */
export class ProviderWords implements AsyncDisposable {
  readonly #store: Pick<ProviderWordStore, 'write' | 'forget'>;
  readonly #log: Log;
  readonly #writing: Periodic;
  readonly #forgetting: Periodic;
  readonly #said = new Map<string, SaidToRequest>();
  readonly #written = new Map<string, SaidToRequest>();

  constructor(store: Pick<ProviderWordStore, 'write' | 'forget'>, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#forgetting = new Periodic(() => store.forget(), {
      everyMs: FORGET_EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'the words of providers were not deleted yet'),
    });
    this.#writing = new Periodic(() => this.write(), {
      everyMs: WRITE_EVERY_MS,
      firstAfterMs: WRITE_EVERY_MS,
      onError: (error) => this.#failed(error),
    });
  }

  start(): void {
    this.#writing.start();
    this.#forgetting.start();
  }

  note(engineId: string, { fault, words, requestId }: Words, at = new Date()): void {
    this.#said.set(engineId, { fault, words: cleanText(words), requestId, at });
  }

  /** Writes what is new; what cannot be written is tried again the next time. */
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
    await this.#forgetting[Symbol.asyncDispose]();
    await this.#writing[Symbol.asyncDispose]();
    await this.write().catch((error: unknown) => this.#failed(error));
  }
}

function isNew(said: SaidToRequest, written: SaidToRequest | undefined): boolean {
  if (said.fault !== written?.fault || said.words !== written.words) return true;
  return said.at.getTime() - written.at.getTime() >= AGAIN_MS;
}
