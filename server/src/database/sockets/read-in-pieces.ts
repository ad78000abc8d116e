import type { Socket } from 'node:net';

/** Bytes of a read after which there is more: libuv reads thirty such pieces before anything else runs. */
const FULL_PIECE = 64 * 1024;
/** The beginning of PostgreSQL's messages: a letter, and the length of the rest with the length itself (5 bytes in all). */
const HEADER = { letter: 1, bytes: 5 };

type Take = (messages: Buffer) => void;

/**
 * Has long answers read with a turn for others after each piece (`onTurn` calls its argument when that is over), and gives the
 * former readers of the socket whole messages only: node-postgres' parser copies an incomplete one into a buffer of twice the
 * size, megabytes in one go. To be called between two answers.
 */
export function readInPieces(socket: Socket, onTurn: (go: () => void) => void = setImmediate): void {
  const readers = socket.listeners('data') as Take[];
  socket.removeAllListeners('data');
  const messages = new WholeMessages((whole) => {
    for (const read of readers) read(whole);
  });
  socket.on('data', (piece: Buffer) => {
    messages.add(piece);
    if (piece.length < FULL_PIECE) return;
    socket.pause();
    onTurn(() => socket.resume());
  });
}

/** Hands bytes on once their last message is complete. */
export class WholeMessages {
  readonly #take: Take;
  /** The beginning of a message that is shorter than its header. */
  #header: Buffer = Buffer.alloc(0);
  /** An incomplete message, in a buffer of its length. */
  #message: Buffer | null = null;
  #filled = 0;

  constructor(take: Take) {
    this.#take = take;
  }

  add(piece: Buffer): void {
    const rest = this.#message ? this.#fill(this.#message, piece) : this.#afterHeader(piece);
    if (rest.length === 0) return;
    const end = endOfLast(rest);
    if (end > 0) this.#take(rest.subarray(0, end));
    if (end < rest.length) this.#begin(rest.subarray(end));
  }

  /** Fills the message, and answers the rest of the piece. */
  #fill(message: Buffer, piece: Buffer): Buffer {
    const taken = piece.copy(message, this.#filled);
    this.#filled += taken;
    if (this.#filled < message.length) return piece.subarray(taken);
    this.#message = null;
    this.#take(message);
    return piece.subarray(taken);
  }

  #afterHeader(piece: Buffer): Buffer {
    if (this.#header.length === 0) return piece;
    const whole = Buffer.concat([this.#header, piece]);
    this.#header = Buffer.alloc(0);
    return whole;
  }

  #begin(part: Buffer): void {
    if (part.length < HEADER.bytes) {
      this.#header = Buffer.from(part);
      return;
    }
    this.#message = Buffer.allocUnsafe(lengthAt(part, 0));
    this.#filled = part.copy(this.#message);
  }
}

/** The end of the last complete message; 0 without one. */
function endOfLast(bytes: Buffer): number {
  let end = 0;
  while (end + HEADER.bytes <= bytes.length) {
    const next = end + lengthAt(bytes, end);
    if (next > bytes.length) return end;
    end = next;
  }
  return end;
}

function lengthAt(bytes: Buffer, at: number): number {
  return HEADER.letter + bytes.readUInt32BE(at + HEADER.letter);
}
