import { plural } from '@ocr-router/ui/format/count.ts';
import { leftOutWords, wordsOf } from '@ocr-router/ui/kit/left-out-words.ts';
import { dayOf } from '@ocr-router/ui/kit/written-time.ts';
import { STATUSES } from '@ocr-router/ui/requests/statuses.ts';
import type { RequestFilter } from '../documents.generated.ts';

/** What the list is narrowed to; it stands in the address, so that a view can be shared and come back to. */
export interface Narrowing {
  readonly status: readonly string[];
  readonly engine: string | null;
  readonly key: string | null;
  readonly mode: string | null;
  /** Stands in the error, or begins the idempotency key. */
  readonly text: string | null;
  /** Days, YYYY-MM-DD, both counted: those of the reader's zone, or with `isUtc` those that usage is counted by. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isUtc: boolean;
  readonly chargedFailures: boolean;
}

const DAY_MS = 86_400_000;
/** As the service takes them. */
export const SHORTEST_TEXT = 3;
export const LONGEST_TEXT = 200;

const isStatus = (word: string) => STATUSES.some((status) => status === word);
const isMode = (word: string) => word === 'sync' || word === 'async';
const isDay = (word: string) => dayOf(word) !== null;

/** What the address says that no list can be narrowed to, in words. */
export function leftOutOf(search: string): string[] {
  return leftOutWords(search, { status: isStatus, mode: isMode, from: isDay, to: isDay });
}

export function parseNarrowing(search: string): Narrowing {
  const given = new URLSearchParams(search);
  const mode = given.get('mode') ?? '';
  return {
    status: wordsOf(given.get('status')).filter(isStatus),
    engine: given.get('engine'),
    key: given.get('key'),
    mode: isMode(mode) ? mode : null,
    text: given.get('text')?.trim().slice(0, LONGEST_TEXT) || null,
    from: dayOf(given.get('from') ?? ''),
    to: dayOf(given.get('to') ?? ''),
    isUtc: given.get('zone') === 'utc',
    chargedFailures: given.get('charged-failures') === 'yes',
  };
}

export function formatNarrowing(narrowing: Narrowing): string {
  const { status, chargedFailures, isUtc, ...single } = narrowing;
  const words = new URLSearchParams();
  if (status.length > 0) words.set('status', status.join(','));
  for (const [name, value] of Object.entries(single)) if (value) words.set(name, value);
  if (chargedFailures) words.set('charged-failures', 'yes');
  if (isUtc && (single.from || single.to)) words.set('zone', 'utc');
  return words.toString();
}

/** The same for the service; the last day counts to its end. */
export function filterOf(narrowing: Narrowing): RequestFilter {
  const { status, engine, key, mode, text, from, to, isUtc, chargedFailures } = narrowing;
  return {
    ...(status.length > 0 && { status: [...status] }),
    ...(engine && { engine }),
    ...(key && { keyId: key }),
    ...(mode && { mode }),
    ...(text && text.length >= SHORTEST_TEXT && { text }),
    ...(from && { from: startOf(from, isUtc).toISOString() }),
    ...(to && { to: endOf(to, isUtc).toISOString() }),
    ...(chargedFailures && { chargedFailures }),
  };
}

/** `1 request`; `The newest 50 requests` where older ones are there to be loaded. */
export function countText(shown: number, hasMore: boolean): string {
  return hasMore ? `The newest ${plural(shown, 'request')}` : plural(shown, 'request');
}

function startOf(day: string, isUtc: boolean): Date {
  return new Date(`${day}T00:00:00${isUtc ? 'Z' : ''}`);
}

/** Where clocks change, a day has 23 or 25 hours. */
function endOf(day: string, isUtc: boolean): Date {
  const at = startOf(day, isUtc);
  if (isUtc) return new Date(at.getTime() + DAY_MS);
  at.setDate(at.getDate() + 1);
  return at;
}
