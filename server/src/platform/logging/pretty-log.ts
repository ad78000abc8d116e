import { inspect } from 'node:util';

const LEVELS: Readonly<Record<number, { readonly name: string; readonly colour: number }>> = {
  10: { name: 'TRACE', colour: 90 },
  20: { name: 'DEBUG', colour: 90 },
  30: { name: 'INFO', colour: 32 },
  40: { name: 'WARN', colour: 33 },
  50: { name: 'ERROR', colour: 31 },
  60: { name: 'FATAL', colour: 31 },
};
const DIM = 90;
const ERROR_LEVEL = 50;
const LONGEST_VALUE = 300;

/** An event of the log as one short line for people: local time, level, what happened, the rest as `name=value`. */
export function prettyLine(json: string, coloured: boolean): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>; // what pino has written
  const paint = (text: string, colour: number) => (coloured ? `\x1b[${colour}m${text}\x1b[0m` : text);
  const { name, colour } = LEVELS[Number(level)] ?? { name: String(level), colour: DIM };
  const { message, stack } = failureOf(err);
  const named = message === undefined || message === msg ? fields : { ...fields, error: message };
  const rest = Object.entries(named).map(([key, value]) => paint(`${key}=${shown(value)}`, DIM));
  const line = [paint(timeOf(time), DIM), paint(name.padEnd(5), colour), oneLine(String(msg ?? '')), ...rest].join(' ');
  // Where something broke that nobody foresaw, the places are what the reader needs.
  const places = Number(level) >= ERROR_LEVEL && stack ? `\n${paint(stack, DIM)}` : '';
  return `${line}${places}\n`;
}

function failureOf(err: unknown): { message?: string; stack?: string } {
  if (typeof err === 'string') return { message: err };
  const { message, stack } = (err ?? {}) as { message?: unknown; stack?: unknown }; // pino's form of an error
  const places = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return {
    ...(typeof message === 'string' && { message }),
    ...(places.length > 0 && { stack: places.slice(0, 12).map(withoutControls).join('\n') }),
  };
}

function timeOf(time: unknown): string {
  const at = new Date(Number(time));
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 3 });
  const short = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
  return /^[^\s"=]+$/.test(short) ? withoutControls(short) : JSON.stringify(withoutControls(short));
}

/** A list of mistakes keeps its lines; nothing of a caller can write to the terminal in the log's name. */
function oneLine(text: string): string {
  return text.split('\n').map(withoutControls).join('\n');
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
