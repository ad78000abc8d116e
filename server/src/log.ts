import { type Logger, pino } from 'pino';

/** Structured events; never document text, never keys. */
export type Log = Logger;

/** Named one by one: a wildcard makes every line four times as dear. */
const REDACTED = [
  'authorization',
  'api_key',
  'apiKey',
  'data_base64',
  'secret',
  'password',
  'headers.authorization',
  'err.authorization',
  'err.secret',
];
/** Lines are written together: at so many bytes, or after this long. */
const WRITE_BYTES = 4096;
const WRITE_AFTER_MS = 100;

/** Log to standard output as JSON lines, one event each. What is not yet written at the process's end is written then. */
export function makeLog(level: string): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES,
    periodicFlush: WRITE_AFTER_MS,
  });
  return pino({ level, redact: REDACTED, base: undefined }, destination);
}
