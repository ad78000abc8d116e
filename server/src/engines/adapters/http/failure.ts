import type { Ending } from '../../model/engine.ts';
import type { ProviderFault } from '../../model/provider-fault.ts';
import { parseJson } from './answer.ts';
import type { HttpAnswer } from './exchange.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** A failure as a provider reports it, in one form for all providers. */
export interface Fault {
  readonly status: number;
  /** Machine-readable words: `code` and `type`. */
  readonly codes: readonly string[];
  /** The body field that the provider objects to. */
  readonly param: string | null;
  readonly message: string;
  /** Seconds that the provider asks to wait. */
  readonly retryAfterSeconds: number | null;
}

const MAX_WORDS = 4000;
const QUOTED_LENGTH = 200;
const NO_CREDIT =
  /^(?:insufficient_quota|insufficient_balance|billing_hard_limit_reached|billing_not_active|billing_error)$/;
const NO_CREDIT_WORDS = /credit balance is too low|reached your specified (?:API )?usage limits/i;
const WRONG_KEY = /^API_KEY_|^ACCESS_TOKEN_/;
const FILTERED_CODE = /^(?:content_filter|content_policy_violation|moderation_blocked|responsibleaipolicyviolation)$/i;
const FILTERED_WORDS = /content (?:filter|management|polic)|flagged as|input was flagged|usage polic|safety system/i;
const IMAGE_CODE = /^(?:invalid_image|image_parse|unsupported_image|image_too|invalid_image_format|image_content)/i;
const IMAGE_WORDS =
  /(?:could not|cannot|can't|failed to|unable to) (?:process|load|decode|parse|read|open|identify|extract text from) (?:the |this |your |input |provided )*(?:image|picture|pdf|document|file)|(?:invalid|corrupt(?:ed)?|malformed|unsupported) (?:image|pdf)\b(?! (?:input|url))|(?:image|pdf|document|file)(?: data| file| specified)? (?:is|was|appears to be) (?:invalid|corrupt|malformed|damaged|not (?:a )?valid|password protected)|the document has no pages/i;

/** The ending of a call that was answered with an HTTP status other than 2xx. `secret` never appears in its message. */
export function httpEnding(fault: Fault, secret: string | null): Ending {
  const { status } = fault;
  if (isRefusal(fault))
    return {
      kind: 'refused',
      message: `The engine’s content filter refused the page${quote(fault, secret)}`,
      ...quoted(fault, secret),
    };
  if (isUnreadable(fault))
    return {
      kind: 'unreadable',
      message: `The engine cannot read the file${quote(fault, secret)}`,
      ...quoted(fault, secret),
    };
  const providerFault = meaningOf(fault);
  const message = describe(providerFault, fault, secret);
  const failed = { kind: 'failed', message, temporary: isTemporary(fault), httpStatus: status } as const;
  return QUOTED.includes(providerFault)
    ? { ...failed, ...quoted(fault, secret), fault: providerFault }
    : { ...failed, fault: providerFault, providerWords: wordsOf(fault, secret) };
}

/** The fault that a provider reports with an HTTP status other than 2xx, or inside a 2xx. */
export function faultOf(answer: HttpAnswer): Fault {
  return { ...readFault(answer.status, answer.text), retryAfterSeconds: retryAfterSeconds(answer) };
}

/**
 * Reads a fault in the forms of OpenAI, Anthropic, Google, Mistral, PaddleX, FastAPI and Ollama, and in what OpenRouter makes of
 * them.
 */
export function readFault(status: number, body: string): Fault {
  const answer = parseJson(body);
  const raw = record(record(fieldsOf(answer)['error'])['metadata'])['raw'];
  const inner = typeof raw === 'string' ? faultIn(status, parseJson(raw)) : null;
  return inner && inner.message !== '' ? inner : faultIn(status, answer);
}

function faultIn(status: number, json: unknown): Fault {
  const answer = fieldsOf(json);
  const error = record(answer['error']);
  const detail = answer['detail'] ?? record(answer['message'])['detail']; // Mistral's stands a step further in
  const words = [error['message'], answer['error'], answer['message'], answer['errorMsg'], detail, firstDetail(detail)];
  const codes = [
    error['code'],
    error['type'],
    error['status'],
    ...reasons(error['details']),
    record(error['innererror'])['code'],
    answer['code'],
    answer['type'],
  ];
  const text = (values: unknown[]) =>
    values.filter((value): value is string => typeof value === 'string' && value !== '');
  return {
    status,
    codes: text(codes),
    param: text([error['param'], refusedField(detail)])[0] ?? null,
    message: shorten(text(words)[0] ?? ''),
    retryAfterSeconds: null,
  };
}

/** The fields of an answer; Google's compatible endpoint answers with a list of one. */
function fieldsOf(json: unknown): Record<string, unknown> {
  return record(Array.isArray(json) && json.length === 1 ? json[0] : json);
}

/** The last name in FastAPI's path to the field: `pages` of `["body", "pages", 0]`. */
function refusedField(detail: unknown): unknown {
  const place = Array.isArray(detail) ? record(detail[0])['loc'] : undefined;
  return Array.isArray(place) ? place.findLast((step) => typeof step === 'string') : undefined;
}

function isRefusal({ status, codes, message }: Fault): boolean {
  if (status !== 400 && status !== 403 && status !== 422) return false;
  return codes.some((code) => FILTERED_CODE.test(code)) || FILTERED_WORDS.test(message);
}

function isUnreadable({ status, codes, message }: Fault): boolean {
  if (status !== 400 && status !== 413 && status !== 422) return false;
  return codes.some((code) => IMAGE_CODE.test(code)) || IMAGE_WORDS.test(message);
}

/** Whether the same call may succeed later, or elsewhere. Wrong keys, empty accounts and bad requests fail everywhere. */
function isTemporary(fault: Fault): boolean {
  const { status } = fault;
  if (hasNoCredit(fault)) return false;
  if (status >= 500) return ![501, 505, 525, 526].includes(status);
  return status === 408 || status === 409 || status === 425 || status === 429;
}

function hasNoCredit({ status, codes, message }: Fault): boolean {
  return status === 402 || codes.some((code) => NO_CREDIT.test(code)) || NO_CREDIT_WORDS.test(message);
}

function meaningOf(fault: Fault): ProviderFault {
  const { status, codes } = fault;
  if (status === 401 || status === 403 || codes.some((code) => WRONG_KEY.test(code))) return 'credentials_refused';
  if (hasNoCredit(fault)) return 'no_credit';
  if (status === 404) return 'unknown_model';
  if (status === 413) return 'page_too_large';
  if (status === 429) return 'rate_limited';
  return status < 400 ? 'redirected' : 'http_error';
}

/**
 * Faults that callers get in the provider's own words. The words of others, which are between provider and gateway, are for
 * operators only.
 */
const QUOTED: readonly ProviderFault[] = ['page_too_large', 'http_error'];

function describe(meaning: ProviderFault, fault: Fault, secret: string | null): string {
  const { status } = fault;
  switch (meaning) {
    case 'credentials_refused':
      return `The gateway’s configuration: the engine’s provider refused its credentials (HTTP ${status}).`;
    case 'no_credit':
      return `The gateway’s configuration: its account with the engine’s provider has no credit (HTTP ${status}).`;
    case 'unknown_model':
      return 'The gateway’s configuration: the engine’s provider does not know the model or the address (HTTP 404).';
    case 'page_too_large':
      return `The page is too large for the engine (HTTP 413)${quote(fault, secret)}`;
    case 'rate_limited':
      return `The engine’s provider limits the rate of requests (HTTP 429)${pause(fault)}.`;
    case 'redirected':
      return `The gateway’s configuration: the engine’s address answered with a redirect (HTTP ${status}).`;
    case 'http_error':
      return `The engine answered with HTTP ${status}${pause(fault)}${quote(fault, secret)}`;
  }
}

function pause({ retryAfterSeconds }: Fault): string {
  return retryAfterSeconds === null ? '' : ` and asks to wait ${retryAfterSeconds} s`;
}

/** The provider's own words after a colon. */
function quote(fault: Fault, secret: string | null): string {
  const words = wordsOf(fault, secret);
  return words === '' ? '.' : `: ${words}`;
}

function quoted(fault: Fault, secret: string | null): { quote?: string } {
  const words = wordsOf(fault, secret);
  return words === '' ? {} : { quote: words };
}

/** The beginning of the provider's own words, without what looks like a key, an account or an echo of the picture. */
function wordsOf({ message }: Fault, secret: string | null): string {
  const words = (secret ? message.replaceAll(secret, '…') : message)
    .replace(/[A-Za-z0-9+/=_-]{60,}/g, '…')
    .replace(/\b(?:sk|key|org|proj)[-_][\w*-]{6,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > QUOTED_LENGTH ? `${words.slice(0, QUOTED_LENGTH)}…` : words;
}

/** The message, cut off between words: half a key would not be recognised as one. */
function shorten(message: string): string {
  return message.length > MAX_WORDS ? message.slice(0, Math.max(0, message.lastIndexOf(' ', MAX_WORDS))) : message;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // any object has fields
}

function firstDetail(detail: unknown): unknown {
  return Array.isArray(detail) ? record(detail[0])['msg'] : null;
}

/** The causes in the details of an error, where Google names them. */
function reasons(details: unknown): unknown[] {
  return Array.isArray(details) ? details.map((detail) => record(detail)['reason']) : [];
}
