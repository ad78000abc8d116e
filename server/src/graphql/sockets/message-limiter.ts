import type { WebSocket } from 'ws';
import { ReadPacer } from '../../platform/concurrency/read-pacer.ts';

/** Least bytes that a message, or a ping, counts for: reading a short one costs more than its bytes. */
const LEAST_MESSAGE_BYTES = 4096;
/** Most bytes of a peer that has not authenticated: it sends `connection_init`, and pings. */
const MOST_UNKNOWN_BYTES = 64 * 1024;
/**
 * Bytes of messages of an account: each message is parsed before anything is known of it. Beyond the rate the account's sockets
 * are read from later; one that waits for longer than two keep-alives is closed, because its pongs are not read either.
 */
const MESSAGE_RATE = { burst: 16 * 1024 * 1024, perSecond: 1024 * 1024 };

/** Limits what is read from sockets: little before the peer has authenticated, then at the rate of its account. */
export class MessageLimiter {
  readonly #messages = new ReadPacer(MESSAGE_RATE);

  /** Counts all that a socket sends, pings and pongs too. `accountOf` gives its account once that is known; `onTooMuch` has to close the socket. */
  bound(socket: WebSocket, accountOf: () => string | undefined, onTooMuch: () => void): void {
    let unknownBytes = 0;
    const count = ({ length }: Buffer) => {
      const accountId = accountOf();
      const bytes = Math.max(length, LEAST_MESSAGE_BYTES);
      if (accountId !== undefined) return this.#messages.count(socket, accountId, bytes);
      unknownBytes += bytes;
      if (unknownBytes > MOST_UNKNOWN_BYTES) onTooMuch();
    };
    socket.on('message', count); // a buffer: the server's `binaryType` is the usual one
    socket.on('ping', count);
    socket.on('pong', count);
  }

  /** Counts a socket for its account from now on: another socket is no way around the account's rate. */
  join(socket: WebSocket, accountId: string): void {
    this.#messages.count(socket, accountId, 0);
  }
}
