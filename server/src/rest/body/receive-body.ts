import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate } from '../../platform/concurrency/byte-rate.ts';
import { InFlight } from '../../platform/concurrency/in-flight.ts';
import { BodyBudget } from './body-budget.ts';
import { type BodyLimits, cutOff, noRoom, tooLarge, tooSlow } from './body-limits.ts';
import { BodyLine } from './body-line.ts';
import { drain } from './drain.ts';
import { IncomingBody } from './incoming-body.ts';
import { LargeBodyPace } from './large-body-pace.ts';

export interface Receiving {
  /** The sender: an account, or an address. Parties take turns, and each has its share. */
  readonly party: string;
  readonly limitBytes: number;
  /**
   * Identifies the sender once more, where the body was late: called when the body is whole, before it is used. Its error becomes
   * the answer.
   */
  readonly onLate: () => Promise<void>;
}

/**
 * How late a body may be without the caller being identified again. This and the time for which a key is believed
 * (`accounts/callers/authenticate.ts`) are a second together.
 */
const LATE_MS = 500;
/**
 * Least bytes of a large body. Large ones come in two at a time, because a parsed body takes about three times its size. Small
 * ones never wait; a body that does not say its length is small until it has grown.
 */
export const LARGE_BODY_BYTES = 1_000_000;
const LARGE_AT_ONCE = 2;
/**
 * How long a large body holds its slot, in ms. One that has not come in by then goes on without it, so that a slow sender holds
 * no other up.
 */
const SLOT_MS = 2000;
const MOST_WAITING_EACH = 64;
const LOOK_MS = 1000;
/**
 * Bytes below which a piece is small, such as no network makes: it costs more than its bytes. So many small pieces of a party are
 * read.
 */
const SMALL_PIECE = 1024;
const SMALL_PIECES = { burst: 16_384, perSecond: 20_000 };
/** Small pieces that are counted in one go: looking at the clock is a part of what a piece costs. */
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

  /** Bytes that bodies have of the budget now. */
  get takenBytes(): number {
    return this.#budget.takenBytes;
  }

  /**
   * Receives the whole body and hands it to `use`, whose time counts as receiving. Throws 413 above the limit, 503 where there is
   * no room, 400 for a body that ends early or comes too slowly, and what `onLate` throws.
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

  /** Waits for a slot and for room for `bytes`. Throws where the body ends meanwhile, in whichever way. */
  async #enter(place: Place, req: IncomingMessage, bytes: number): Promise<void> {
    const gone = new AbortController();
    const leave = () => gone.abort(cutOff());
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
    // Large bodies leave a quarter of the bytes to small ones.
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

/** The share of the budget that one body has, and its slot. */
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

  /**
   * Aborts when the body has ended. Made when it is first asked for: an abort takes as long as the rest of receiving a small
   * body.
   */
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
