import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors.ts';
import { newId } from '../ids.ts';

/** How long a client has for reading the answer before its connection is cut: a reset at once would overtake it. */
const LINGER_MS = 1000;
/** How much is read away of what it goes on sending; beyond that the connection stands still. */
const LINGER_BYTES = 256 * 1024;

/** Answers with an error on a connection itself, where there is no response to do it with, and ends the connection. */
export function endWithError(socket: Duplex, error: AppError, headers: Readonly<Record<string, string>>): void {
  socket.end(answerOf(error, headers));
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(late));
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) socket.pause();
  });
  socket.resume();
}

function answerOf(error: AppError, headers: Readonly<Record<string, string>>): string {
  const { status, details } = error;
  const body = JSON.stringify(error.envelope());
  const lines = {
    'X-Request-Id': newId('req_'),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...details.headers,
    ...(details.retryAfterSeconds !== undefined && { 'Retry-After': String(details.retryAfterSeconds) }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n');
}
