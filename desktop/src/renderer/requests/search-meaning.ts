import { STATUSES } from '@ocr-router/ui/requests/statuses.ts';
import type { RequestFilter } from './request-filter.ts';

/** What a text that somebody searches for asks of the list; `accountLike`: an account is to be looked up by it first. */
type SearchMeaning = Partial<RequestFilter> | { readonly accountLike: string };

const ACCOUNT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KEY_ID = /^(key|login)[_:]\w+$/;

/** As the gateway takes them. */
export const SHORTEST_TEXT = 3;
const LONGEST_TEXT = 200;

/** Codes of errors that a request can have, as the API spells them. */
const CODES = [
  'provider_error',
  'engine_unavailable',
  'unprocessable_entity',
  'payload_too_large',
  'invalid_request',
  'insufficient_balance',
  'budget_exceeded',
  'internal_error',
  'rate_limited',
  'unknown_engine',
  'not_found',
];

/** An engine, a status, an error's code, a key, an account, or else a part of an error or of an idempotency key; null for no text. */
export function searchMeaning(text: string, engines: readonly string[]): SearchMeaning | null {
  const word = text.trim();
  const lower = word.toLowerCase();
  if (word === '') return null;
  const engine = engines.find((id) => id.toLowerCase() === lower);
  if (engine !== undefined) return { engine };
  const status = STATUSES.find((each) => each === lower);
  if (status !== undefined) return { statuses: [status] };
  if (CODES.includes(lower)) return { code: lower };
  if (KEY_ID.test(word)) return { key: word };
  if (ACCOUNT_ID.test(word)) return { account: lower, key: null };
  if (word.includes('@')) return { accountLike: word };
  return { text: word.slice(0, LONGEST_TEXT) };
}
