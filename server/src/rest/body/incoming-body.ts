import type { IncomingMessage } from 'node:http';
import { giveBack } from '../../platform/memory/give-back.ts';
import { GrowingBuffer } from '../../platform/memory/growing-buffer.ts';
import { turnOfYoungCalls } from '../../platform/turns/young-calls.ts';
import { cutOff, tooSmallPieces } from './body-limits.ts';
import { noteTinyPieces } from './paced-reads.ts';

/** Is told how large the body has become, and by how large a piece. Throws to refuse it, or returns what it has to wait for. */
type OnGrowth = (size: number, pieceBytes: number) => Promise<void> | undefined;

/** Pieces that may be of any size. With more, the pieces must have `LEAST_PIECE_BYTES` on average. */
const FREE_PIECES = 4096;
const LEAST_PIECE_BYTES = 32;
/**
 * Bytes of a body that are read before others have their turn. Where more has come, libuv reads two megabytes before anything
 * else runs.
 */
const BYTES_A_TURN = 256 * 1024;
/** Longest turn of others, in ms: of calls that are under way and began after this one. */
const PATIENCE_MS = 3;

/** The body of one request while it comes in. Its promise settles however the connection ends: whole, cut off, refused. */
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

  /** `announced` is the length in bytes; NaN where the call does not tell it. */
  constructor(req: IncomingMessage, announced: number, onGrowth: OnGrowth) {
    this.#req = req;
    this.#onGrowth = onGrowth;
    // A body of known length goes straight into its buffer; only chunked ones are pieced together.
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

  /** Milliseconds that the sender has had, without the time that the service let the body wait. */
  get receivingMs(): number {
    return performance.now() - this.#startedAt - this.#waitedMs - this.#waitingMs;
  }

  /** Milliseconds since the last byte; 0 while the service lets the body wait. */
  get idleMs(): number {
    return this.#waitingSince === null ? performance.now() - this.#lastByteAt : 0;
  }

  /** Gives the body up: `whole` rejects with the error. */
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

  /** Settles `whole` and lets go of the call. Only the first end counts. */
  #end(error: unknown): void {
    const settle = this.#settle;
    if (!settle) return;
    this.#settle = undefined;
    this.#req.off('data', this.#onData);
    this.#req.off('end', this.#onEnd);
    this.#req.off('close', this.#onClose);
    // A late error must not end the process, so there stays a listener, which must hold nothing of the body: the call lasts
    // longer.
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
