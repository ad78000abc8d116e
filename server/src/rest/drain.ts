import type { IncomingMessage } from 'node:http';

/** How much of a body that nobody wants is read away so that the client can see the answer, and for how long. */
const DRAIN_BYTES = 40 * 1024 * 1024;
const DRAIN_MS = 15_000;

/** Reads the rest of a body away, within limits; then the connection ends. */
export function drain(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let drained = 0;
  const late = setTimeout(() => req.destroy(), DRAIN_MS);
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_BYTES) req.destroy();
  });
  const end = () => clearTimeout(late);
  req.once('end', end);
  req.once('close', end);
  req.resume();
}
