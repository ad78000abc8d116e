import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** A JSON body with a document in it as base64. Nothing of it is encoded before it is sent, anew for each call. */
export interface DocumentBody {
  readonly before: string;
  readonly bytes: Buffer;
  readonly after: string;
}

/** Stands in for the document's base64. No setting of a caller has it: it is another one in each process. */
const PLACE = randomUUID();

/** The JSON body of what `fields` makes of the base64 of a document, which is in it once. */
export function bodyWith(bytes: Buffer, fields: (base64: string) => unknown): DocumentBody {
  const [before = '', after = ''] = JSON.stringify(fields(PLACE)).split(PLACE);
  return { before, bytes, after };
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
