import { AppError } from '../platform/errors.ts';

const LARGEST_INT = 2_147_483_647;

/** The JSON as PostgreSQL can store it: without NUL and halves of surrogate pairs, in keys and in values. */
export function storableJson(json: string): string {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
  return JSON.stringify(clean(JSON.parse(json)));
}

/** The text, cut off where it is longer than `longest` characters. */
export function shortened(text: string | null, longest: number): string | null {
  return text === null || text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** A count of milliseconds or pages, rounded and within the range of an integer column; null for NaN. */
export function storableInt(value: number | null): number | null {
  if (value === null || Number.isNaN(value)) return null;
  return Math.round(Math.min(LARGEST_INT, Math.max(-LARGEST_INT, value)));
}

/**
 * A confidence from 0 to 1, rounded to six digits, which are more than any engine means: a product of many probabilities can be
 * too small for a column. Null for what is no number.
 */
export function storableConfidence(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), clean(member)]));
}

/** The text without characters that no text column holds: NUL is removed, half of a surrogate pair becomes U+FFFD. */
export function cleanText(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\u0000', '').toWellFormed();
}

/** Whether PostgreSQL stores a text: it has no NUL and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Throws `invalid_request` for a text that PostgreSQL does not store. */
export function requireStorableText(field: string, text: string): void {
  if (isStorable(text)) return;
  throw new AppError('invalid_request', `${field}: contains a NUL or an incomplete character.`);
}
