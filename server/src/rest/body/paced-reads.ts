import type { Socket } from 'node:net';
import { addressBucket } from '../../platform/address-bucket.ts';
import { ExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { Slices } from '../../platform/turns/slices.ts';

/** How long, in ms, connections of a peer that has sent a body in tiny pieces are paced. */
const SUSPECT_MS = 600_000;
/** Bytes that are parsed in one go. In chunks of one byte these are three hundred pieces, which take a millisecond. */
const PART_BYTES = 2048;
/** Milliseconds that are parsed without a turn for others: all of an ordinary body, and little of one in tiny pieces. */
const AT_ONCE_MS = 0.5;

/** Peers that have sent bodies in such pieces as only an attack makes, by address (of IPv6 by its /64). */
const suspects = new ExpiringMap<string, true>();

/**
 * Gives slices to one connection at a time; peers take turns. Long work of others waits behind one slice, however many
 * connections there are.
 */
const line = new FairSemaphore(1, () => 1);

/** Notes that a body came in tiny pieces over this connection. */
export function noteTinyPieces(socket: Socket): void {
  if (socket.remoteAddress) suspects.set(addressBucket(socket.remoteAddress), true, performance.now() + SUSPECT_MS);
}

/**
 * Paces a new connection of a peer that has sent tiny pieces: it is parsed in parts, with turns for others in between. Node's
 * parser would hand over all that one read has brought in one go: ten thousand pieces take 15 to 45 ms. Null for any other peer:
 * its parser reads from the socket directly, which costs a call less.
 */
export function paceReads(socket: Socket): PacedReads | null {
  if (!socket.remoteAddress || !suspects.get(addressBucket(socket.remoteAddress))) return null;
  return new PacedReads(socket);
}

type Listener = (...args: unknown[]) => void;

/** Stands between a connection and the listeners that the HTTP server has put on it, and hands bytes on in parts. */
export class PacedReads {
  readonly #socket: Socket;
  readonly #onParts: readonly Listener[];
  readonly #onEnds: readonly Listener[];
  readonly #slices = new Slices();
  readonly #peer: string;
  readonly #gone = new AbortController();
  /** Bytes that are not parsed yet: what one read brought, and at most one more, which was on its way when reading was paused. */
  #held: Buffer[] = [];
  #isWaiting = false;
  /** Whether the HTTP server has paused the connection because its answers are not read: it takes no byte then. */
  #isStopped = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#peer = addressBucket(socket.remoteAddress ?? '');
    this.#onParts = socket.listeners('data') as Listener[];
    this.#onEnds = socket.listeners('end') as Listener[];
    socket.removeAllListeners('data').removeAllListeners('end');
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('resume', this.#onResume);
    socket.once('close', this.#onClose);
  }

  /** Leaves a connection that was upgraded. Returns what has come in and is not parsed. */
  release(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#onClose();
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('resume', this.#onResume);
    this.#socket.off('close', this.#onClose);
    return rest;
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#held.length === 0 && bytes.length <= PART_BYTES) {
      for (const listener of this.#onParts) listener.call(this.#socket, bytes);
      return;
    }
    this.#held.push(bytes);
    if (this.#isWaiting || this.#isStopped) return void this.#socket.pause();
    const untilMs = performance.now() + AT_ONCE_MS;
    this.#parse(() => performance.now() >= untilMs);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#held.length > 0 || this.#socket.destroyed) return;
    for (const listener of this.#onEnds) listener.call(this.#socket);
  };

  readonly #onResume = (): void => {
    if (!this.#isStopped || this.#socket.isPaused()) return;
    this.#isStopped = false;
    this.#socket.pause();
    this.#wait();
  };

  /** Drops what is held when the connection closes: the parser may serve another one by now. */
  readonly #onClose = (): void => {
    this.#held = [];
    this.#hasEnded = false;
    this.#gone.abort();
  };

  #wait(): void {
    if (this.#isWaiting || this.#isStopped) return;
    this.#isWaiting = true;
    void this.#nextSlice();
  }

  async #nextSlice(): Promise<void> {
    const permit = await line.acquire(this.#gone.signal, this.#peer).catch(() => null);
    if (!permit) return; // it is gone
    using _held = permit;
    await this.#slices.next();
    this.#isWaiting = false;
    this.#parse(() => this.#slices.isOver);
  }

  /** Hands parts to the parser until `isOver` says that it is the turn of others. */
  #parse(isOver: () => boolean): void {
    if (this.#socket.destroyed) this.#onClose();
    while (this.#held.length > 0) {
      const part = this.#nextPart();
      // Resumed first, so that a pause after the part is the server's own.
      this.#socket.resume();
      for (const listener of this.#onParts) listener.call(this.#socket, part);
      if (this.#socket.destroyed) this.#onClose();
      if (this.#held.length === 0) break;
      if (this.#socket.isPaused()) {
        this.#isStopped = true;
        return;
      }
      this.#socket.pause();
      if (isOver()) {
        this.#wait();
        return;
      }
    }
    // An end comes as an event of its own, behind what the last part has caused.
    if (this.#hasEnded) setImmediate(this.#onEnd);
  }

  #nextPart(): Buffer {
    const [first = Buffer.alloc(0)] = this.#held;
    if (first.length <= PART_BYTES) this.#held.shift();
    else this.#held[0] = first.subarray(PART_BYTES);
    return first.subarray(0, PART_BYTES);
  }
}
