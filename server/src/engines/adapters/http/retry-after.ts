import { parseJson } from './answer.ts';
import type { HttpAnswer } from './exchange.ts';

const MAX_SECONDS = 86_400;
const GOOGLE_DELAY = /^(\d+(?:\.\d+)?)s$/;

/**
 * Seconds that a provider asks to wait, rounded up: by header (two spellings) or as Google says it in the body. Null where it
 * does not ask.
 */
export function retryAfterSeconds(answer: HttpAnswer): number | null {
  const ms = seconds(answer.header('retry-after-ms'), 1000);
  return ms ?? fromHeader(answer) ?? fromBody(answer.text);
}

function fromHeader(answer: HttpAnswer): number | null {
  const value = answer.header('retry-after');
  const date = value === null ? Number.NaN : Date.parse(value);
  const now = Date.parse(answer.header('date') ?? '');
  return seconds(value, 1) ?? (Number.isNaN(date - now) ? null : seconds(String(date - now), 1000));
}

function fromBody(body: string): number | null {
  if (!body.includes('retryDelay')) return null;
  const error = field(parseJson(body), 'error');
  const details = field(error, 'details');
  const delays = Array.isArray(details) ? details.map((detail) => field(detail, 'retryDelay')) : [];
  const delay = delays.find((value) => typeof value === 'string') ?? '';
  return seconds(GOOGLE_DELAY.exec(delay)?.[1] ?? null, 1);
}

function seconds(value: string | null, unitsPerSecond: number): number | null {
  const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
  const whole = Math.ceil(number / unitsPerSecond);
  return whole > 0 && whole <= MAX_SECONDS ? whole : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined; // any object has fields
}
