import type { Socket } from 'node:net';

/** What a socket brings at once where there is more: libuv reads thirty such pieces before anybody else is heard. */
const FULL_PIECE = 64 * 1024;
/** What PostgreSQL's messages begin with: a letter, and how long the rest is, this number included. */
const HEADER = { letter: 1, bytes: 5 };

type Take = (messages: Buffer) => void;

/**
 * From now on what is long comes in with a turn for others after each piece (`onTurn` calls when it is over), and whoever has read the socket until now gets whole
 * messages: node-postgres' parser copies what it has of one into a buffer of twice the size, megabytes in one go. To be called
 * between two answers.
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

/** Hands on what comes once its last message is complete. */
export class WholeMessages {
  readonly #take: Take;
  /** The beginning of a message whose length is not known yet. */
  #header: Buffer = Buffer.alloc(0);
  /** A message of which a part is there. */
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

  /** What is left of a piece once the message has got its part. */
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

/** Where the last message ends that is whole. */
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
