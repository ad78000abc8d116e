const PIECE_BYTES = 64 * 1024;

/**
 * A file in pieces, for a stream that ends when its reader has taken (nearly) all of it: one of a single piece ends as soon
 * as that is handed to the socket, which keeps it in memory for a reader who takes nothing.
 */
export function* pieces({ buffer, byteOffset, byteLength }: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < byteLength; at += PIECE_BYTES) {
    yield Buffer.from(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at));
  }
}
