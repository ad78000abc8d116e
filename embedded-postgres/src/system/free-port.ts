import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/**
 * Below the range from which systems take ports for outgoing connections: such a connection could hold the port
 * just when the database starts again, and a client trying to reconnect could even meet itself.
 */
const FIRST = 20_000;
const LAST = 29_999;
const TRIES = 100;

/** The preferred port where it is free, otherwise another one that is. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port for PostgreSQL between ${FIRST} and ${LAST}.`);
}

/** Whether the port of the loopback address is free at this moment. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
