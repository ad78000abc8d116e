import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** A JSON body with a document in it as base64. The document is encoded only when the body is sent, anew for each call. */
export interface DocumentBody {
  readonly before: string;
  readonly bytes: Buffer;
  readonly after: string;
}

/** The mark for the document's base64. No caller's setting contains it, because each process has another one. */
const PLACE = randomUUID();

/** The JSON body of the value that `fields` makes of a document's base64, which must be in it once. */
export function bodyWith(bytes: Buffer, fields: (base64: string) => unknown): DocumentBody {
  const [before = '', after = ''] = JSON.stringify(fields(PLACE)).split(PLACE);
  return { before, bytes, after };
}

/** Bytes of a piece: whole groups of three, whose text is short enough for the part of V8's heap that is collected in passing. */
const PIECE_BYTES = 48 * 1024;
/** Bytes that are encoded in one turn of the event loop. */
const TURN_BYTES = 4 * PIECE_BYTES;

/**
 * Encodes a body in pieces, directly to their place: no second copy of the document is made. Between pieces of a large document
 * others have their turn.
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
