import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../../platform/errors.ts';
import { unreadable } from '../formats/unreadable.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { processorMsOf } from '../limits/processor-time.ts';
import { TimeLimit } from '../limits/time-limit.ts';
import { Turns } from '../limits/turns.ts';
import { DecodingMemory } from './decoding-memory.ts';
import { PictureChild, ProcessEndedError, ProcessNotStartedError } from './picture-child.ts';
import type { PictureResults, PictureTask } from './picture-task.ts';

export interface PictureProcessesOptions {
  /** Processes for one account's pictures; there is one more for those of others. */
  readonly processes: number;
  /** Most time for one task; the process is killed then, and replaced. */
  readonly timeoutMs: number;
  /** Memory of all pictures that are decoded at once, in bytes. */
  readonly roomBytes: number;
  /** How long an idle process is kept; a minute unless given. */
  readonly idleMs?: number;
}

export interface PictureWork<K extends PictureTask['kind']> {
  readonly bytes: Buffer;
  readonly task: PictureTask & { kind: K };
  /** Bytes that the decoded picture takes. */
  readonly decodedBytes: number;
  /** Whether decoding takes seconds, as with pictures of many passes. */
  readonly isLong?: boolean;
}

/** Tasks after which a process is replaced: the remains of broken pictures must not add up. */
const TASKS_EACH = 500;
const IDLE_MS = 60_000;
const STARTS = 2;
const OPENING_MS = 10_000;
/**
 * How much longer, as a factor, a reading may take on the clock: its process comes after all others, and may not get the
 * processor.
 */
const BUSY_TIMES = 2;
/**
 * Least share of its time that a process must have had on the processor: with less, the picture was not given the time that it
 * may take.
 */
const LEAST_SHARE = 0.5;
const RETRY_AFTER_SECONDS = 10;

/**
 * Processes that decode pictures, so that a hostile one costs only its process and its time: a decoder's thread cannot be
 * stopped, a process can.
 */
export class PictureProcesses implements AsyncDisposable {
  readonly #options: PictureProcessesOptions;
  readonly #turns: Turns;
  /** Turns at long tasks: those of an account never take all of its processes, where it has several, nor those of others. */
  readonly #longTurns: FairSemaphore;
  readonly #room: DecodingMemory;
  readonly #sources = new WeakMap<Buffer, number>();
  readonly #all = new Set<PictureChild>();
  readonly #idle: { child: PictureChild; timer: NodeJS.Timeout }[] = [];
  #lastSource = 0;
  #closed = false;

  constructor(options: PictureProcessesOptions) {
    this.#options = options;
    this.#turns = new Turns(options.processes);
    const long = Math.max(1, Math.floor(options.processes / 2));
    this.#longTurns = new FairSemaphore(long + 1, () => long);
    this.#room = new DecodingMemory(options.roomBytes, () => this.#turns.advance());
  }

  /** Ids of the processes that run. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ pid, ended }) => (pid === undefined || ended ? [] : [pid]));
  }

  /**
   * Performs a task in a process. Throws `unprocessable_entity` where the picture is at fault, 503 where the machine is too busy,
   * and the signal's reason when that aborts.
   */
  async run<K extends PictureTask['kind']>(
    work: PictureWork<K>,
    client: DocumentClient = {},
  ): Promise<{ value: PictureResults[K]; bytes: Buffer }> {
    const longTurn = (signal: AbortSignal) => this.#longTurns.acquire(signal, client.party);
    using _long = work.isLong ? await this.#turns.inTime(client, longTurn) : null;
    // Both permits together: a task that waits for memory holds no process meanwhile, and one that waits for a process no memory.
    using _turn = await this.#turns.take(client, () => this.#room.take(work.decodedBytes, client.party));
    for (let start = 1; ; start++) {
      try {
        const { head, bytes } = await this.#once(work, client);
        if (head.kind === 'done') return { value: head.value as PictureResults[K], bytes }; // as the task's kind says
        if (head.kind === 'refused') throw unreadable(head.message);
        throw unreadable('The picture is corrupt or too complex: it cannot be decoded.', head.message);
      } catch (error) {
        if (error instanceof ProcessNotStartedError) throw tooBusy(error);
        if (!(error instanceof ProcessEndedError)) throw error;
        // The first end may be the process's own fault, or that of a system that was short of memory.
        if (start >= STARTS) throw unreadable('The picture cannot be decoded: the decoder broke over it.', error);
      }
    }
  }

  async #once({ bytes, task }: PictureWork<PictureTask['kind']>, { signal, party, opening }: DocumentClient) {
    if (this.#closed) throw closed();
    const child = this.#take();
    const { timeoutMs } = this.#options;
    const processorMs = opening ? Math.min(timeoutMs, OPENING_MS) : timeoutMs;
    // A task before an acceptance has no more time on the clock; a reading has more, because others may keep its process from
    // working.
    const clockMs = opening ? processorMs : BUSY_TIMES * processorMs;
    using limit = new TimeLimit({ clockMs, processorMs, used: () => processorMsOf(child.pid) });
    const stop = () => child.kill();
    limit.signal.addEventListener('abort', stop, { once: true });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await child.ask({ id: this.#source(bytes), bytes }, task);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#closed) throw closed();
      if (!limit.signal.aborted) throw error;
      const isBusy = opening && limit.processorMs < processorMs * LEAST_SHARE;
      this.#turns.failed(party, isBusy ? limit.processorMs : limit.elapsedMs);
      if (isBusy) throw tooBusy(error);
      throw unreadable('The picture takes too long to decode.', error);
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#putBack(child);
    }
  }

  #take(): PictureChild {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      if (!kept.child.ended) return kept.child;
      this.#drop(kept.child);
    }
    const child = new PictureChild();
    this.#all.add(child);
    return child;
  }

  /** Keeps a process for the next picture; it ends where none comes. */
  #putBack(child: PictureChild): void {
    if (child.ended || child.answers >= TASKS_EACH || this.#closed) {
      this.#drop(child);
      return;
    }
    const kept = { child, timer: setTimeout(() => this.#retire(kept), this.#options.idleMs ?? IDLE_MS).unref() };
    this.#idle.push(kept);
  }

  #retire(kept: { child: PictureChild; timer: NodeJS.Timeout }): void {
    this.#idle.splice(this.#idle.indexOf(kept), 1);
    this.#drop(kept.child);
  }

  #drop(child: PictureChild): void {
    this.#all.delete(child);
    child.kill();
  }

  /** The number of these bytes, always the same one, so that a process that has them is not sent them again. */
  #source(bytes: Buffer): number {
    const known = this.#sources.get(bytes);
    if (known !== undefined) return known;
    this.#sources.set(bytes, ++this.#lastSource);
    return this.#lastSource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const child of this.#all) child.kill();
    this.#all.clear();
  }
}

function closed(): Error {
  return new Error('the picture processes are closed');
}

function tooBusy(cause: unknown): AppError {
  return new AppError(
    'engine_unavailable',
    'The gateway is too busy to decode the picture. Nothing was taken in; try again.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
    { cause },
  );
}
