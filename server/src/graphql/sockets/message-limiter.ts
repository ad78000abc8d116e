import type { WebSocket } from 'ws';
import { ReadPacer } from '../../platform/concurrency/read-pacer.ts';

/** What a message counts for at least, however short: reading it costs more than its bytes. */
const LEAST_MESSAGE_BYTES = 4096;
/** Of a peer that has not said who it is: `connection_init`, and pings. */
const MOST_UNKNOWN_BYTES = 64 * 1024;
/**
 * Of an account's messages: each is parsed before anything can be known of it. Above it the account is read from later; a
 * socket that waits for longer than two keep-alives is closed, since its pongs are not read either.
 */
const MESSAGE_RATE = { burst: 16 * 1024 * 1024, perSecond: 1024 * 1024 };

/** Bounds what is read of the peers of sockets: little before they have said who they are, then their account's rate. */
export class MessageLimiter {
  readonly #messages = new ReadPacer(MESSAGE_RATE);

  /** Counts all that a socket sends. `accountOf` says whose it is, once that is known; `onTooMuch` has to close it. */
  bound(socket: WebSocket, accountOf: () => string | undefined, onTooMuch: () => void): void {
    let unknownBytes = 0;
    // A buffer: the server's `binaryType` is the usual one.
    socket.on('message', ({ length }: Buffer) => {
      const accountId = accountOf();
      const bytes = Math.max(length, LEAST_MESSAGE_BYTES);
      if (accountId !== undefined) return this.#messages.count(socket, accountId, bytes);
      unknownBytes += bytes;
      if (unknownBytes > MOST_UNKNOWN_BYTES) onTooMuch();
    });
  }

  /** The peer has said who it is: another socket is no way around its account's rate. */
  join(socket: WebSocket, accountId: string): void {
    this.#messages.count(socket, accountId, 0);
  }
}
