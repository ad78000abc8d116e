import type { IncomingMessage } from 'node:http';
import { noteTinyPieces } from './paced-reads.ts';

/** Most bytes and time for reading a refused body away, so that the client can see the answer. */
const DRAIN_BYTES = 40 * 1024 * 1024;
const DRAIN_MS = 15_000;
/** Least bytes that a piece counts for, because each costs more than its bytes. `TINY`: pieces that only an attack makes. */
const LEAST_PIECE_BYTES = 8 * 1024;
const TINY = { bytes: 64, countAs: 128 * 1024, many: 100 };
/** How long a client that has sent more has for reading the answer. */
const LINGER_MS = 1000;

/**
 * Whether the rest of a body, if there is one, is read to its end. A larger body, or one that does not say its length, may lose
 * the connection in the middle, so no client may be offered that connection for its next call.
 */
export function isDrainable(req: IncomingMessage): boolean {
  if (req.complete) return true;
  // Node drops what it has read behind the body of a call that offers an upgrade: that may be the next call.
  if (req.headers.upgrade !== undefined) return false;
  if (req.headers['transfer-encoding'] !== undefined) return false;
  return Number(req.headers['content-length'] ?? 0) <= DRAIN_BYTES;
}

/**
 * Reads the rest of a body away, within limits; then the connection ends. Beyond the limit of bytes it is only paused for a
 * second first: a reset at once would overtake the answer, where a client reads only when it cannot write on.
 */
export function drain(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let drained = 0;
  let tiny = 0;
  let lingering: NodeJS.Timeout | undefined;
  const destroy = () => req.destroy();
  const late = setTimeout(destroy, DRAIN_MS);
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length <= TINY.bytes ? TINY.countAs : Math.max(chunk.length, LEAST_PIECE_BYTES);
    if (chunk.length <= TINY.bytes) tiny++;
    if (drained <= DRAIN_BYTES || lingering) return;
    if (tiny >= TINY.many) noteTinyPieces(req.socket);
    req.pause();
    lingering = setTimeout(destroy, LINGER_MS);
  });
  const end = () => {
    clearTimeout(late);
    clearTimeout(lingering);
  };
  req.once('end', end);
  req.once('close', end);
  req.resume();
}
