import { type DestinationStream, type Logger, pino } from 'pino';
import { traceOfLog } from '../tracing/spans.ts';
import { LogOutput } from './log-output.ts';
import { loggedError } from './logged-error.ts';
import { prettyLine } from './pretty-log.ts';

/** Structured events; never document text, never keys, nothing of a caller's body. */
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
export type LogFormat = 'json' | 'pretty';

/** Logs to standard output unless told where: JSON lines for machines, or one short line an event for people. */
export function makeLog(level: string, format: LogFormat = 'json', output = outputFor(format)): Log {
  const options = { level, redact: REDACTED, base: undefined, serializers: { err: loggedError }, mixin: traceOfLog };
  return pino(options, output);
}

function outputFor(format: LogFormat): DestinationStream {
  return format === 'pretty' ? toTerminal() : new LogOutput();
}

/** In colours where the terminal has some and `NO_COLOR` does not forbid them. */
function toTerminal(): DestinationStream {
  const coloured = process.stdout.isTTY === true && process.stdout.hasColors();
  return { write: (line) => void process.stdout.write(prettyLine(line, coloured)) };
}
