import type { Engine } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';

interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Most pages of a request; also of an engine, whatever its configuration says. */
export const MOST_PAGES = 100_000;
/** More digits than any document has pages, and still exact as a number. */
const MAX_DIGITS = 9;
const QUOTED_LENGTH = 40;
/** Characters; room for a thousand single pages, not for a body of commas. */
const MAX_LENGTH = 20_000;

type PageBounds = Pick<Engine, 'id' | 'maxPagesPerRequest' | 'pageRange'>;
const ANY_ENGINE: PageBounds = { id: 'any', maxPagesPerRequest: MOST_PAGES, pageRange: true };

/** Which pages a caller asks for: those of a range, at most so many of them, or so many from the first one on. */
export interface AskedPages {
  readonly pageRange: string | null;
  readonly pageCount: number | null;
}

/**
 * The pages that a request is billed for, 1-based, in the order of the document: the first one, unless it says more.
 * Throws `invalid_request` for a range that is none or has more than `maxPages` pages.
 */
export function askedPages({ pageRange, pageCount }: AskedPages, maxPages: number): number[] {
  if (pageRange !== null) return parsePageRange(pageRange, maxPages).slice(0, pageCount ?? undefined);
  return Array.from({ length: pageCount ?? 1 }, (_, i) => i + 1);
}

/** Throws `invalid_request` for a number of pages that the engine does not take at once; `field` is its name. */
export function requirePageCount(
  pageCount: number | null,
  { id, maxPagesPerRequest: most }: Pick<Engine, 'id' | 'maxPagesPerRequest'>,
  field = 'page_count',
): void {
  if (pageCount === null || (pageCount >= 1 && pageCount <= most)) return;
  throw new AppError('invalid_request', `${field}: engine "${id}" takes 1 to ${most} pages a request.`);
}

/** The pages a request is billed for; above the engine's maximum it is refused. */
export function countPages(asked: AskedPages, engine: PageBounds): number {
  requirePageCount(asked.pageCount, engine);
  if (asked.pageRange !== null && !engine.pageRange) {
    throw new AppError('invalid_request', `settings.page_range: engine "${engine.id}" does not support it.`);
  }
  return askedPages(asked, engine.maxPagesPerRequest).length;
}

/** Throws `invalid_request` for pages that no engine can be asked for. */
export function requirePages(asked: AskedPages): void {
  countPages(asked, ANY_ENGINE);
}

/**
 * The pages that `settings.page_range` names (`1-3,5`), 1-based, each once, in the order of the document. Throws
 * `invalid_request` for anything else and for more than `maxPages` pages.
 */
export function parsePageRange(range: string, maxPages: number): number[] {
  if (range.length > MAX_LENGTH) throw refusal(`is longer than ${MAX_LENGTH} characters.`);
  const stretches = merge(range.split(',').map(parseStretch));
  const count = stretches.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (count > maxPages) throw refusal(`names ${count} pages; this engine reads at most ${maxPages} in one request.`);
  return stretches.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

function parseStretch(part: string): Stretch {
  const [first, last = first, ...rest] = part.split('-', 3).map((number) => number.trim());
  if (rest.length > 0 || !isNumber(first) || !isNumber(last)) {
    throw refusal(`"${quote(part)}" is no page or range of pages. Write it as in 1-3,5.`);
  }
  const stretch = { first: Number(first), last: Number(last) };
  if (stretch.first === 0 || stretch.last === 0) throw refusal('pages are counted from 1.');
  if (stretch.first > stretch.last) throw refusal(`"${quote(part)}" runs backwards; write the lower page first.`);
  return stretch;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_DIGITS && /^\d+$/.test(text);
}

/** Stretches in ascending order that neither overlap nor touch twice. */
function merge(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (!before || stretch.first > before.last) merged.push(stretch);
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, stretch.last) };
  }
  return merged;
}

function quote(part: string): string {
  const text = part.trim();
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
}

function refusal(message: string): AppError {
  return new AppError('invalid_request', `settings.page_range: ${message}`);
}
