/** One message of PostgreSQL's protocol; `type` is empty for the untyped ones that open a connection. */
export interface Frame {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts a stream into messages: a type byte (but for a client's first messages), then a length that counts itself. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #untyped: boolean;

  /** `opens`: the stream is a client's, whose startup message has no type. */
  constructor({ opens }: { opens: boolean }) {
    this.#untyped = opens;
  }

  read(chunk: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (;;) {
      const typeBytes = this.#untyped ? 0 : 1;
      if (this.#rest.length < typeBytes + 4) return frames;
      const length = typeBytes + this.#rest.readUInt32BE(typeBytes);
      if (this.#rest.length < length) return frames;
      const bytes = this.#rest.subarray(0, length);
      frames.push({ type: typeBytes === 0 ? '' : String.fromCharCode(bytes[0] ?? 0), bytes });
      this.#rest = this.#rest.subarray(length);
      this.#untyped = false;
    }
  }
}

/** The prepared statement that a `Bind` message runs; null for every other message. */
export function boundStatement({ type, bytes }: Frame): string | null {
  if (type !== 'B') return null;
  const portalEnd = bytes.indexOf(0, 5);
  return bytes.toString('utf8', portalEnd + 1, bytes.indexOf(0, portalEnd + 1));
}

/** An `ErrorResponse` with this SQLSTATE. */
export function errorFrame(code: string, message: string): Buffer {
  const fields = Buffer.from(`SERROR\0VERROR\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
