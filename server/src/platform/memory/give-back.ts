/** Less than this may share its memory with others (`Buffer.poolSize`), and is not worth it. */
const LEAST_BYTES = 16_384;

/**
 * Gives the memory of a large buffer back at once; the buffer is empty then. V8 does so only after its next collection, and
 * collects everything, which stands in everybody's way, once such memory has become much. Only for a buffer that nobody reads
 * any more; one that is a part of its memory is left alone: others may have the rest.
 */
export function giveBack({ buffer, byteLength }: Buffer): void {
  if (byteLength < LEAST_BYTES || byteLength < buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
