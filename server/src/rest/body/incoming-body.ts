import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { giveBack } from '../../platform/memory/give-back.ts';
import { GrowingBuffer } from '../../platform/memory/growing-buffer.ts';
import { turnOfYoungCalls } from '../../platform/turns/young-calls.ts';
import { noteTinyPieces } from './paced-reads.ts';

/** Told how large the body has become, and by what; throws to refuse it, or returns what it has to wait for. */
type OnGrowth = (size: number, pieceBytes: number) => Promise<void> | undefined;

/** So many pieces may be of any size; after them a piece has to have this much, on average. */
const FREE_PIECES = 4096;
const LEAST_PIECE_BYTES = 32;
/** Of a body, until others have their turn: where there is more, libuv reads two megabytes before anybody else is heard. */
const BYTES_A_TURN = 256 * 1024;
/** And so long at most while calls are under way that began meanwhile. */
const PATIENCE_MS = 3;

/** One request's body while it comes in. Ends in every way that a connection can: whole, cut off, refused. */
export class IncomingBody {
  readonly whole: Promise<Buffer>;
  readonly #req: IncomingMessage;
  readonly #buffer: Buffer | null;
  readonly #pieces = new GrowingBuffer();
  readonly #onGrowth: OnGrowth;
  readonly #startedAt = performance.now();
  #lastByteAt = this.#startedAt;
  #waitedMs = 0;
  #waitingSince: number | null = null;
  #size = 0;
  #sizeAtTurn = 0;
  #settle: { resolve(bytes: Buffer): void; reject(error: unknown): void } | undefined;

  /** `announced` is NaN where the length is not told. */
  constructor(req: IncomingMessage, announced: number, onGrowth: OnGrowth) {
    this.#req = req;
    this.#onGrowth = onGrowth;
    // With its length announced a body goes straight into its place; only chunked ones are pieced together.
    this.#buffer = Number.isSafeInteger(announced) && announced >= 0 ? Buffer.allocUnsafe(announced) : null;
    this.whole = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A connection that has ended already emits no event.
    if (req.destroyed && !req.readableEnded) this.#end(cutOff());
    req.on('data', this.#onData);
    req.on('end', this.#onEnd);
    req.on('close', this.#onClose);
    req.on('error', this.#onClose);
  }

  get size(): number {
    return this.#size;
  }

  /** How long the sender has had, without the time that the body waited for us. */
  get receivingMs(): number {
    return performance.now() - this.#startedAt - this.#waitedMs - this.#waitingMs;
  }

  /** Since the last byte; 0 while the body waits for us. */
  get idleMs(): number {
    return this.#waitingSince === null ? performance.now() - this.#lastByteAt : 0;
  }

  /** Gives the body up. */
  fail(error: Error): void {
    this.#end(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#buffer) chunk.copy(this.#buffer, this.#size);
    else this.#pieces.push(chunk);
    const { length } = chunk;
    giveBack(chunk); // Node's parser has copied it for us alone
    this.#size += length;
    this.#lastByteAt = performance.now();
    try {
      if (this.#pieces.count > FREE_PIECES && this.#size / this.#pieces.count < LEAST_PIECE_BYTES) {
        noteTinyPieces(this.#req.socket);
        throw tooSmallPieces();
      }
      const wait = this.#onGrowth(this.#size, length) ?? this.#turnOfOthers();
      if (wait) this.#hold(wait);
    } catch (error) {
      this.#end(error);
    }
  };

  readonly #onEnd = (): void => this.#end(null);
  readonly #onClose = (): void => this.#end(cutOff());

  #turnOfOthers(): Promise<void> | undefined {
    if (this.#size - this.#sizeAtTurn < BYTES_A_TURN) return undefined;
    this.#sizeAtTurn = this.#size;
    return turnOfYoungCalls(this.#startedAt, PATIENCE_MS);
  }

  #hold(wait: Promise<void>): void {
    this.#req.pause();
    this.#waitingSince = performance.now();
    wait.then(
      () => {
        this.#waitedMs += this.#waitingMs;
        this.#waitingSince = null;
        this.#lastByteAt = performance.now();
        this.#req.resume();
      },
      (error: unknown) => this.#end(error),
    );
  }

  get #waitingMs(): number {
    return this.#waitingSince === null ? 0 : performance.now() - this.#waitingSince;
  }

  /** The first end counts. */
  #end(error: unknown): void {
    const settle = this.#settle;
    if (!settle) return;
    this.#settle = undefined;
    this.#req.off('data', this.#onData);
    this.#req.off('end', this.#onEnd);
    this.#req.off('close', this.#onClose);
    // A late error must not end the process; the call lasts longer than its body, which nothing of it may hold.
    this.#req.off('error', this.#onClose);
    this.#req.on('error', ignore);
    const bytes = this.#buffer ?? this.#pieces.bytes;
    if (!error) settle.resolve(bytes);
    else {
      giveBack(bytes);
      settle.reject(error);
    }
    this.#pieces.clear();
  }
}

const ignore = () => undefined;

function tooSmallPieces(): AppError {
  return new AppError('invalid_request', 'The body came in pieces of a few bytes: send it in larger ones, or whole.', {
    headers: { Connection: 'close' },
  });
}

function cutOff(): AppError {
  return new AppError('invalid_request', 'The body ended before it was complete.');
}
