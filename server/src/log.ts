import { type Logger, pino } from 'pino';

/** Structured events; never document text, never keys. */
export type Log = Logger;

const REDACTED = [
  'authorization',
  'api_key',
  'apiKey',
  'data_base64',
  'secret',
  'password',
  '*.authorization',
  '*.secret',
];

/** Log to standard output as JSON lines, one event each. */
export function makeLog(level: string): Log {
  return pino({ level, redact: REDACTED, base: undefined }, pino.destination({ dest: 1, sync: false, minLength: 0 }));
}
