import { randomFillSync } from 'node:crypto';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
/** Random bytes that are asked for at once: a call for each id would cost more than the span. An id that is kept keeps them. */
const POOL_BYTES = 16 * 1024;
let pool = Buffer.alloc(0);
let used = 0;

/**
 * The id of a trace or a span: bytes, as a collector has it. As digits, as headers and logs have it, it is written once
 * somebody asks; for most spans nobody does.
 */
export class SpanId {
  readonly bytes: Buffer;
  /** Where in the bytes it begins and ends. */
  readonly at: number;
  readonly end: number;
  #digits: string | null;

  private constructor(bytes: Buffer, { at, end, digits }: { at: number; end: number; digits: string | null }) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.#digits = digits;
  }

  static ofTrace(): SpanId {
    return SpanId.#random(TRACE_BYTES);
  }

  static ofSpan(): SpanId {
    return SpanId.#random(SPAN_BYTES);
  }

  /** One that somebody else has made, in small hexadecimal digits. */
  static from(digits: string): SpanId {
    const bytes = Buffer.from(digits, 'hex');
    return new SpanId(bytes, { at: 0, end: bytes.length, digits });
  }

  /** Small hexadecimal ones. */
  get digits(): string {
    this.#digits ??= this.bytes.toString('hex', this.at, this.end);
    return this.#digits;
  }

  static #random(length: number): SpanId {
    if (used + length > pool.length) {
      pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
      used = 0;
    }
    used += length;
    return new SpanId(pool, { at: used - length, end: used, digits: null });
  }
}
