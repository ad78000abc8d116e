import { WebSocket } from 'ws';

export const MOST_MESSAGE_BYTES = 1024 * 1024;
const TOO_LARGE = 1009;
const WHY_TOO_LARGE = 'A message has at most 1 MB. Send documents over HTTP';

/** A socket that gives a reason when it is closed for a message that is too large: `ws` gives the code alone. */
export class BoundedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, code === TOO_LARGE ? (reason ?? WHY_TOO_LARGE) : reason);
  }
}
