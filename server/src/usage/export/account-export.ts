import { randomUUID } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { Worker as Thread } from 'node:worker_threads';
import type { Pool } from '../../database/pool.ts';
import { FairSemaphore, type Permit } from '../../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import { takeExportLease } from './export-lease.ts';
import type { ExportData, ExportedLines, FromExport, ToExport } from './export-messages.ts';

/** A thread's entry is not bundled: it is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './export-thread.ts' : './export-thread.js', import.meta.url);
/** Young objects die at once here: room for more of them is memory for nothing. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };
/** Exports of one process at a time, and how long another one waits for its turn. */
const AT_ONCE = 4;
const WAIT_MS = 10_000;
const LOOK_MS = 500;
/** While others wait, pieces must be read at this rate; who is so far behind it gives way. */
const LEAST_BYTES_PER_SECOND = 65_536;
const MOST_BEHIND_MS = 5000;
const RETRY_AFTER_SECONDS = 60;

/** An account's export while it is made. */
export interface AccountExport {
  readonly stream: Readable;
  readonly fileName: string;
  /** Resolves when everything was handed to the stream, with the number of lines of each file; rejects when it broke off. */
  readonly written: Promise<ExportedLines>;
}

interface ExportsOptions {
  readonly url: string;
  /** Written to by the process; an export reads by connections of its own. */
  readonly leases: Pool;
}

/**
 * Everything that an account has, as a tar.gz. Each export is a thread: its garbage is collected in a small heap of its
 * own, and the calls of others do not wait for its work.
 */
export class AccountExports {
  readonly #options: ExportsOptions;
  readonly #permits = new FairSemaphore(AT_ONCE);
  readonly #open = new Set<ExportStream>();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** Begins one; 400 while another one of the account is under way, 429 while too many of others are. Destroying the stream ends it. */
  async open(accountId: string): Promise<AccountExport> {
    const { url, leases } = this.#options;
    await using taken = new AsyncDisposableStack();
    taken.use(await takeExportLease(leases, accountId, randomUUID()));
    const permit = await this.#turn(accountId);
    if (!permit) {
      throw new AppError('rate_limited', 'Too many exports of other accounts are under way. Try again later.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    taken.use(permit);
    const release = () => {
      this.#open.delete(stream);
      return held.disposeAsync();
    };
    const stream = new ExportStream({ accountId, url }, release);
    const held = taken.move(); // from here on the stream's end gives it back
    this.#open.add(stream);
    const written = new Promise<ExportedLines>((resolve, reject) => {
      finished(stream, { writable: false }, (error) => {
        void release().then(() => {
          if (stream.lines) resolve(stream.lines);
          else reject(error ?? new Error('the export was not read to its end'));
        });
      });
    });
    written.catch(() => undefined); // the stream tells
    const day = new Date().toISOString().slice(0, 10);
    return { stream, fileName: `ocr-router-${accountId}-${day}.tar.gz`, written };
  }

  /** Null when none came in time. Who waits does not wait for those who hardly read. */
  async #turn(accountId: string): Promise<Permit | null> {
    const looking = setInterval(() => {
      for (const stream of this.#open) if (stream.isHardlyRead) stream.destroy(new Error('read too slowly'));
    }, LOOK_MS).unref();
    try {
      return await this.#permits.acquire(AbortSignal.timeout(WAIT_MS), accountId);
    } catch {
      return null;
    } finally {
      clearInterval(looking);
    }
  }
}

/** What the thread of an export makes, a piece at a time, as it is read. */
class ExportStream extends Readable {
  readonly #thread: Thread;
  readonly #beforeEnd: () => Promise<void>;
  /** The piece that lies here until it is read. */
  #unread: { readonly from: number; readonly bytes: number } | null = null;
  /** By how much the pieces before it came to lie longer than they may: what was read early earns no rest. */
  #behindMs = 0;
  /** Lines of each file, once all of it was made. */
  lines: ExportedLines | null = null;

  /** `beforeEnd` is waited for: who has read all of it may begin another one at once. */
  constructor(workerData: ExportData, beforeEnd: () => Promise<void>) {
    super();
    this.#beforeEnd = beforeEnd;
    this.#thread = new Thread(ENTRY, { workerData, name: 'export', env: {}, resourceLimits: HEAP });
    this.#thread.on('message', (message: FromExport) => this.#take(message));
    this.#thread.on('error', (error) => this.destroy(error));
    this.#thread.on('exit', () => {
      if (!this.lines) this.destroy(new Error('the export broke off'));
    });
  }

  get isHardlyRead(): boolean {
    return this.#behindNow() > MOST_BEHIND_MS;
  }

  #behindNow(): number {
    if (!this.#unread) return this.#behindMs;
    const { from, bytes } = this.#unread;
    return Math.max(0, this.#behindMs + performance.now() - from - (bytes / LEAST_BYTES_PER_SECOND) * 1000);
  }

  #take(message: FromExport): void {
    if (message.kind === 'piece') {
      this.#unread = { from: performance.now(), bytes: message.bytes.length };
      this.push(message.bytes);
    } else if (message.kind === 'failed') this.destroy(new Error(message.message));
    else {
      this.lines = message.lines;
      void this.#beforeEnd().then(() => this.push(null));
    }
  }

  override _read(): void {
    this.#behindMs = this.#behindNow();
    this.#unread = null;
    this.#thread.postMessage({ kind: 'more' } satisfies ToExport);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#thread.terminate().then(
      () => done(error),
      () => done(error),
    );
  }
}
