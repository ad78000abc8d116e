import { randomFillSync } from 'node:crypto';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
/** Random bytes that are asked for at once: a call for each id would cost more than the span. */
const POOL = Buffer.alloc(16 * 1024);
let used = POOL.length;

export function newTraceId(): string {
  return random(TRACE_BYTES);
}

export function newSpanId(): string {
  return random(SPAN_BYTES);
}

function random(bytes: number): string {
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += bytes;
  return POOL.toString('hex', used - bytes, used);
}
