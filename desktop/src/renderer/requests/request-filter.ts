import { leftOutWords, wordsOf } from '@ocr-router/ui/kit/left-out-words.ts';
import { STATUSES } from '@ocr-router/ui/requests/statuses.ts';

/** Which requests the feed lists, as its address says it; what is null does not narrow. */
export interface RequestFilter {
  readonly engine: string | null;
  readonly statuses: readonly string[];
  readonly mode: string | null;
  readonly account: string | null;
  readonly key: string | null;
  /** The code of the error that the caller got. */
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  /** Stands in the error's code or message, or begins the idempotency key. */
  readonly text: string | null;
  /** How the webhook stands that tells of its end. */
  readonly webhook: string | null;
  /** ISO times: accepted at or after the first, before the second. */
  readonly from: string | null;
  readonly to: string | null;
  /** Of any time, whatever the time range says. */
  readonly anyTime: boolean;
}

/** The parameters of the address that are the filter's; others (`request`, `range`) are left as they are. */
const FILTER_PARAMETERS = [
  'engine',
  'status',
  'mode',
  'account',
  'key',
  'code',
  'text',
  'webhook',
  'from',
  'to',
] as const;
export const WEBHOOK_STATES = ['pending', 'delivered', 'failed'] as const;
const IDEMPOTENCY_KEY = 'idempotency-key';
const ANY_TIME = ['time', 'any'] as const;
const HOUR_MS = 3_600_000;

/** What the address says that no list can be narrowed to, in words. */
export function leftOutOf(search: string): string[] {
  const isTime = (word: string) => time(word) !== null;
  return leftOutWords(search, {
    status: (word) => STATUSES.some((status) => status === word),
    mode: isMode,
    webhook: (word) => WEBHOOK_STATES.some((state) => state === word),
    from: isTime,
    to: isTime,
  });
}

function isMode(word: string | null): boolean {
  return word === 'sync' || word === 'async';
}

/** Reads the address; words that mean nothing are left out. */
export function readFilter(search: string): RequestFilter {
  const parameters = new URLSearchParams(search);
  const word = (name: string): string | null => parameters.get(name) || null;
  const mode = word('mode');
  return {
    engine: word('engine'),
    statuses: STATUSES.filter((status) => wordsOf(word('status')).includes(status)),
    mode: isMode(mode) ? mode : null,
    account: word('account'),
    key: word('key'),
    code: word('code'),
    idempotencyKey: word(IDEMPOTENCY_KEY),
    text: word('text'),
    webhook: WEBHOOK_STATES.find((state) => state === word('webhook')) ?? null,
    from: time(word('from')),
    to: time(word('to')),
    anyTime: word(ANY_TIME[0]) === ANY_TIME[1],
  };
}

/** The address of a search with this filter instead of its own. */
export function writeFilter(search: string, filter: RequestFilter): string {
  const parameters = new URLSearchParams(search);
  for (const name of FILTER_PARAMETERS) {
    const value = name === 'status' ? filter.statuses.join(',') : filter[name];
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  if (filter.idempotencyKey) parameters.set(IDEMPOTENCY_KEY, filter.idempotencyKey);
  else parameters.delete(IDEMPOTENCY_KEY);
  if (filter.anyTime) parameters.set(...ANY_TIME);
  else parameters.delete(ANY_TIME[0]);
  return parameters.toString();
}

/** The filter with the last hours as its time, where it has none of its own. */
export function withinHours(filter: RequestFilter, hours: number, nowMs: number): RequestFilter {
  if (filter.anyTime || filter.from !== null || filter.to !== null) return filter;
  return { ...filter, from: new Date(nowMs - hours * HOUR_MS).toISOString() };
}

/** The same filter as the API takes it. */
export function requestFilter(filter: RequestFilter) {
  const { engine, statuses, mode, account, key, code, idempotencyKey, text, webhook, from, to } = filter;
  return {
    ...(account === null ? { allAccounts: true } : { accountId: account }),
    ...(statuses.length > 0 && { status: [...statuses] }),
    ...(engine !== null && { engine }),
    ...(mode !== null && { mode }),
    ...(key !== null && { keyId: key }),
    ...(code !== null && { errorCode: code }),
    ...(idempotencyKey !== null && { idempotencyKey }),
    ...(text !== null && { text }),
    ...(webhook !== null && { webhook }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

interface Filtered {
  readonly engine: string;
  readonly status: string;
  readonly mode: string;
  readonly accountId: string;
  readonly keyId?: string | null;
  readonly errorCode?: string | null;
  readonly providerError?: string | null;
  readonly idempotencyKey?: string | null;
  readonly createdAt?: string;
}

/** Whether the filter wants a request. What is not known of it (an event knows little) does not speak against it. */
export function matches(filter: RequestFilter, of: Filtered): boolean {
  const { engine, statuses, mode, account, key, code, idempotencyKey, from, to } = filter;
  if (engine !== null && of.engine !== engine) return false;
  if (statuses.length > 0 && !statuses.includes(of.status)) return false;
  if (mode !== null && of.mode !== mode) return false;
  if (account !== null && of.accountId !== account) return false;
  if (key !== null && of.keyId !== undefined && of.keyId !== key) return false;
  if (code !== null && of.errorCode !== undefined && of.errorCode !== code) return false;
  if (idempotencyKey !== null && of.idempotencyKey !== undefined && of.idempotencyKey !== idempotencyKey) return false;
  if (filter.text !== null && of.providerError !== undefined && !hasText(of, filter.text)) return false;
  if (of.createdAt === undefined) return true;
  const atMs = Date.parse(of.createdAt);
  return (from === null || atMs >= Date.parse(from)) && (to === null || atMs < Date.parse(to));
}

/** As the gateway looks for it. */
function hasText({ errorCode, providerError, idempotencyKey }: Filtered, text: string): boolean {
  const isIn = (where: string | null | undefined) => where?.toLowerCase().includes(text.toLowerCase()) ?? false;
  return isIn(errorCode) || isIn(providerError) || (idempotencyKey?.startsWith(text) ?? false);
}

function time(text: string | null): string | null {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
