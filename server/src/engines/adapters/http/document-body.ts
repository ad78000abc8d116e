import { setImmediate } from 'node:timers/promises';

/** A JSON body with a document in it as base64. Nothing of it is encoded before it is sent, anew for each call. */
export interface DocumentBody {
  readonly before: string;
  readonly bytes: Buffer;
  readonly after: string;
}

/** Whole groups of three bytes; their text is short enough for the part of V8's heap that is collected in passing. */
const PIECE_BYTES = 48 * 1024;
/** What is encoded in one turn of the event loop. */
const TURN_BYTES = 4 * PIECE_BYTES;

/**
 * The bytes of a body, written in pieces to the place where they stay: no second copy of the document is made. Large
 * documents let others have their turn in between.
 */
export async function encodeBody({ before, bytes, after }: DocumentBody): Promise<Buffer> {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const body = Buffer.allocUnsafe(head.length + Math.ceil(bytes.length / 3) * 4 + tail.length);
  let at = head.copy(body);
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0 && from % TURN_BYTES === 0) await setImmediate();
    at += body.write(bytes.toString('base64', from, from + PIECE_BYTES), at, 'latin1');
  }
  tail.copy(body, at);
  return body;
}
