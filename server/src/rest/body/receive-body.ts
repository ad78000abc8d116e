import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';
import { InFlight } from '../../platform/concurrency/in-flight.ts';
import { AppError } from '../../platform/errors.ts';
import { BodyBudget } from './body-budget.ts';
import { BodyLine } from './body-line.ts';
import { drain } from './drain.ts';
import { IncomingBody } from './incoming-body.ts';
import { LargeBodyPace } from './large-body-pace.ts';

export interface BodyLimits {
  /** Bytes of all bodies that are being received; one party may take a quarter, large bodies three. */
  readonly totalBytes: number;
  /** A body that brings nothing for so long is given up. */
  readonly idleMs: number;
  /** A body is also given up when it is slower than this, after a start of `startMs`. */
  readonly bytesPerSecond: number;
  readonly startMs: number;
  /** How long a large body waits for its place. */
  readonly waitMs: number;
}

/** 10 MB of raw body: what a document may take. */
export const DOCUMENT_BODY_BYTES = 10_485_760;
/** What a form of the dashboard may take. */
export const FORM_BODY_BYTES = 16_384;

export const BODY_TIMES = { idleMs: 15_000, startMs: 30_000, bytesPerSecond: 16_384, waitMs: 30_000 } as const;

export interface Receiving {
  /** Who sends: an account, or an address. Parties take turns, and each has its share. */
  readonly party: string;
  readonly limitBytes: number;
  /** Judges who sends anew: called for a body that was late, when it is whole and before it is used. Its error is the answer. */
  readonly onLate: () => Promise<void>;
}

/**
 * Who sends was judged before the body. What is believed of a key (`accounts/callers/authenticate.ts`) and this are a second
 * together.
 */
const LATE_MS = 500;
/**
 * Bodies above this come in a few at a time: a parsed body takes about three times its size. Small ones never wait, and
 * one that does not say its length is small until it has grown.
 */
export const LARGE_BODY_BYTES = 1_000_000;
const LARGE_AT_ONCE = 2;
/** A large body that has not come by then goes on beside the line, so that a slow sender holds no other up. */
const SLOT_MS = 2000;
const MOST_WAITING_EACH = 64;
const LOOK_MS = 1000;
const RETRY_AFTER_SECONDS = 5;
/** Pieces below this size, such as no network makes, cost more than their bytes: so many a second are read of a party's. */
const SMALL_PIECE = 1024;
const SMALL_PIECES = { burst: 16_384, perSecond: 20_000 };
/** So many are counted in one go: each look at the clock is a part of what a piece costs. */
const PIECES_AT_ONCE = 64;

/** Receives request bodies: within a budget of bytes, a line for large ones, and a least rate. */
export class BodyReceiver implements Disposable {
  readonly #limits: BodyLimits;
  readonly #budget: BodyBudget;
  readonly #line = new BodyLine(MOST_WAITING_EACH);
  readonly #pace: LargeBodyPace;
  readonly #smallPieces = new ByteRate(SMALL_PIECES);
  readonly #open = new InFlight<number, IncomingBody>();
  #opened = 0;
  readonly #timer: NodeJS.Timeout;
  #slots = LARGE_AT_ONCE;

  constructor(limits: BodyLimits, parties: Pick<ActiveParties, 'hasOthers'>) {
    this.#limits = limits;
    this.#pace = new LargeBodyPace(parties);
    this.#budget = new BodyBudget({ totalBytes: limits.totalBytes, shareBytes: Math.floor(limits.totalBytes / 4) });
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Bytes that are accounted for at this moment. */
  get takenBytes(): number {
    return this.#budget.takenBytes;
  }

  /**
   * Hands the whole body to `use`, whose time still counts as receiving. Throws 413 above the limit, 503
   * where there is no room, 400 for a body that ends early or comes too slowly, and what `onLate` throws.
   */
  async receive<T>(
    req: IncomingMessage,
    { party, limitBytes, onLate }: Receiving,
    use: (bytes: Buffer) => T | Promise<T>,
  ): Promise<T> {
    const begunAt = performance.now();
    const announced = Number(req.headers['content-length'] ?? Number.NaN);
    if (announced > limitBytes) {
      drain(req);
      throw tooLarge(limitBytes);
    }
    const place = new Place(this.#budget, party);
    try {
      if (announced > LARGE_BODY_BYTES) await this.#enter(place, req, announced);
      const bytes = await this.#collect(req, { place, announced, limitBytes });
      if (performance.now() - begunAt > LATE_MS) await onLate();
      return await use(bytes);
    } catch (error) {
      if (!req.complete) drain(req);
      throw error;
    } finally {
      this.#leave(place);
    }
  }

  async #collect(
    req: IncomingMessage,
    { place, announced, limitBytes }: { place: Place; announced: number; limitBytes: number },
  ): Promise<Buffer> {
    let small = 0;
    const body = new IncomingBody(req, announced, (size, pieceBytes) => {
      if (size > limitBytes) throw tooLarge(limitBytes);
      if (pieceBytes < SMALL_PIECE) small += 1;
      const waitMs = small >= PIECES_AT_ONCE ? this.#smallPieces.take(place.party, small) : 0;
      if (small >= PIECES_AT_ONCE) small = 0;
      if (place.bytes >= size) return waitMs > 0 ? sleep(waitMs) : undefined;
      if (size > LARGE_BODY_BYTES) return this.#enter(place, req, limitBytes);
      if (!place.grow(size)) throw noRoom();
      return waitMs > 0 ? sleep(waitMs) : undefined;
    });
    const nth = this.#opened++;
    this.#open.set(nth, body);
    try {
      return await body.whole;
    } finally {
      this.#open.delete(nth);
    }
  }

  /** Waits for a slot, and for room for `bytes`; not for a body that has ended meanwhile, in whichever way. */
  async #enter(place: Place, req: IncomingMessage, bytes: number): Promise<void> {
    const gone = new AbortController();
    const leave = () => gone.abort(endedEarly());
    if (req.destroyed) leave();
    req.once('close', leave);
    place.ended.addEventListener('abort', leave);
    const late = setTimeout(() => gone.abort(noRoom()), this.#limits.waitMs);
    try {
      await this.#line.enter(place.party, () => this.#admit(place, bytes), { signal: gone.signal, full: noRoom() });
    } finally {
      clearTimeout(late);
      req.off('close', leave);
      place.ended.removeEventListener('abort', leave);
    }
  }

  #admit(place: Place, bytes: number): boolean {
    if (!this.#pace.admits(place.party, () => this.#line.advance())) return false;
    // Large bodies leave a quarter to the small ones.
    if (this.#slots === 0 || !place.grow(bytes, Math.floor(this.#limits.totalBytes / 4))) return false;
    this.#slots--;
    this.#pace.count(place.party, bytes);
    place.holdSlot(SLOT_MS, () => {
      this.#slots++;
      this.#line.advance();
    });
    return true;
  }

  #leave(place: Place): void {
    place.end();
    if (this.#slots > 0) this.#line.advance(); // who waits there waits for bytes, which small bodies give back, too
  }

  #look(): void {
    const { idleMs, startMs, bytesPerSecond } = this.#limits;
    for (const body of this.#open.values()) {
      const allowedMs = startMs + (body.size / bytesPerSecond) * 1000;
      if (body.idleMs > idleMs || body.receivingMs > allowedMs) body.fail(tooSlow());
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** What one body has of the budget, and its slot. */
class Place {
  readonly party: string;
  readonly #budget: BodyBudget;
  #end: AbortController | undefined;
  #bytes = 0;
  #freeSlot: (() => void) | undefined;

  constructor(budget: BodyBudget, party: string) {
    this.#budget = budget;
    this.party = party;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Aborts when the body has come to its end. Made when it is asked for: an abort takes as long as the rest of receiving a small body. */
  get ended(): AbortSignal {
    this.#end ??= new AbortController();
    return this.#end.signal;
  }

  grow(bytes: number, spareBytes = 0): boolean {
    if (!this.#budget.take(this.party, bytes - this.#bytes, spareBytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  holdSlot(forMs: number, free: () => void): void {
    const timer = setTimeout(() => this.#freeSlot?.(), forMs);
    this.#freeSlot = () => {
      clearTimeout(timer);
      this.#freeSlot = undefined;
      free();
    };
  }

  end(): void {
    this.#end?.abort();
    this.#budget.give(this.party, this.#bytes);
    this.#bytes = 0;
    this.#freeSlot?.();
  }
}

function tooLarge(limitBytes: number): AppError {
  const exact = limitBytes.toLocaleString('en-US');
  const message =
    limitBytes === DOCUMENT_BODY_BYTES
      ? `The body is larger than 10 MB (${exact} bytes), which is about 7.8 MB of file as base64. Send larger files as a URL.`
      : `The body is larger than ${exact} bytes.`;
  return new AppError('payload_too_large', message);
}

function noRoom(): AppError {
  return new AppError('engine_unavailable', 'Too many bodies are being received. Nothing was taken in; try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function endedEarly(): AppError {
  return new AppError('invalid_request', 'The body ended before it was complete.');
}

function tooSlow(): AppError {
  return new AppError('invalid_request', 'The body came too slowly and was given up; send it again.', {
    headers: { Connection: 'close' },
  });
}
