import { Periodic } from '../../platform/concurrency/periodic.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { RefusedCall } from '../../platform/refused-call.ts';
import { RefusalBuffer } from './refusal-buffer.ts';
import type { RefusalStore } from './refusal-store.ts';

const WRITE_EVERY_MS = 1000;
const FORGET_EVERY_MS = 600_000;

/** Notes refused calls in memory, and writes what has gathered once a second. */
export class RefusalLog implements AsyncDisposable {
  readonly #store: RefusalStore;
  readonly #buffer: RefusalBuffer;
  readonly #periodic: Periodic;
  readonly #log: Log;
  #forgetAtMs = 0;

  constructor(store: RefusalStore, isEngine: (id: string) => boolean, log: Log) {
    this.#store = store;
    this.#buffer = new RefusalBuffer(isEngine);
    this.#log = log;
    this.#periodic = new Periodic(() => this.#look(), {
      everyMs: WRITE_EVERY_MS,
      firstAfterMs: WRITE_EVERY_MS,
      onError: (error) => log.warn({ err: error }, 'refused calls were not written'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  note(call: RefusedCall): void {
    this.#buffer.add(call, new Date());
  }

  async #look(): Promise<void> {
    await this.#write();
    if (Date.now() < this.#forgetAtMs) return;
    this.#forgetAtMs = Date.now() + FORGET_EVERY_MS;
    await this.#store.forgetOld();
  }

  async #write(): Promise<void> {
    const taken = this.#buffer.take();
    if (taken.counts.length === 0) return;
    try {
      await this.#store.write(taken);
    } catch (error) {
      this.#buffer.giveBack(taken);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#periodic[Symbol.asyncDispose]();
    await this.#write().catch((error: unknown) => this.#log.warn({ err: error }, 'refused calls were not written'));
  }
}
