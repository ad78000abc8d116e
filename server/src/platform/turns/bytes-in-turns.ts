import { Slices } from './slices.ts';

/** Bytes of a piece. */
const PIECE = 64 * 1024;
/** The most that a unit of a text takes. */
const BYTES_OF_A_UNIT = 3;

/**
 * Texts and bytes joined to pieces of UTF-8, with turns for others in between: what is written of a dense page takes too long for
 * one go. Each is copied before the next one is asked for, and stands in one piece.
 */
export async function* bytesInTurns(parts: Iterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  const slices = new Slices();
  let piece = Buffer.allocUnsafeSlow(PIECE);
  let end = 0;
  for (const part of parts) {
    if (slices.isOver) await slices.next();
    const most = typeof part === 'string' ? BYTES_OF_A_UNIT * part.length : part.length;
    if (most > piece.length - end) {
      if (end > 0) yield piece.subarray(0, end);
      piece = Buffer.allocUnsafeSlow(Math.max(PIECE, most));
      end = 0;
    }
    end += write(piece, part, end);
  }
  if (end > 0) yield piece.subarray(0, end);
}

/**
 * The same as one piece, for what cannot be sent otherwise: joined in one go, twenty megabytes took 35 ms. Memory for `about` so
 * many bytes, and a quarter more, is there from the beginning; a page of it that is not written costs nothing.
 */
export async function wholeInTurns(parts: Iterable<string | Uint8Array>, about: number): Promise<Buffer> {
  const slices = new Slices();
  let whole: Buffer = Buffer.allocUnsafeSlow(PIECE + Math.ceil(about * 1.25));
  let end = 0;
  for (const part of parts) {
    if (slices.isOver) await slices.next();
    const most = typeof part === 'string' ? BYTES_OF_A_UNIT * part.length : part.length;
    if (most > whole.length - end) whole = await grown(whole, end, most, slices);
    end += write(whole, part, end);
  }
  return whole.subarray(0, end);
}

async function grown(whole: Buffer, end: number, more: number, slices: Slices): Promise<Buffer> {
  const next = Buffer.allocUnsafeSlow(2 * whole.length + more);
  for (let from = 0; from < end; from += PIECE) {
    if (slices.isOver) await slices.next();
    whole.copy(next, from, from, Math.min(end, from + PIECE));
  }
  return next;
}

function write(piece: Buffer, part: string | Uint8Array, at: number): number {
  if (typeof part === 'string') return piece.write(part, at);
  piece.set(part, at);
  return part.length;
}
