/** The specification's error codes and the HTTP status each one answers with: the one table. */
const HTTP_STATUS = {
  invalid_request: 400,
  unknown_engine: 400,
  history_disabled: 400,
  authentication_error: 401,
  insufficient_balance: 402,
  insufficient_scope: 403,
  not_found: 404,
  idempotency_key_reused: 409,
  positions_missing: 409,
  result_not_retained: 410,
  payload_too_large: 413,
  unprocessable_entity: 422,
  rate_limited: 429,
  internal_error: 500,
  provider_error: 502,
  engine_unavailable: 503,
  budget_exceeded: 402,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS;

/** The HTTP status that a code answers with. */
export function httpStatusOf(code: ErrorCode): number {
  return HTTP_STATUS[code];
}

export const ERROR_CODES = Object.keys(HTTP_STATUS) as readonly ErrorCode[];

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(HTTP_STATUS, code);
}

export interface ErrorDetails {
  /** Seconds for the `Retry-After` header and `retry_after_seconds`. */
  retryAfterSeconds?: number;
  /** How long the answer is held back: for a caller that goes on although it is refused. */
  answerAfterMs?: number;
  /** Close matches of an unknown engine id. */
  suggestions?: readonly string[];
  /** An HTTP status other than the table's (405 for a wrong method). */
  status?: number;
  /** Extra response headers, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** The rule of the contract that the request's body breaks. */
  brokenRule?: BrokenRule;
}

/** Where a body breaks the contract (keys, and indexes in decimal), and what it must be there: `must be integer`. */
export interface BrokenRule {
  readonly path: readonly string[];
  readonly rule: string;
}

/** Where the pages of the documentation are served; null where nobody has said. */
let pages: string | null = null;

/** From here on messages to callers name the page on which their code is explained. */
export function linkErrors(docsUrl: URL | null): void {
  pages = docsUrl?.href.replace(/\/+$/, '') ?? null;
}

/** A failure as the caller sees it: `message` is for the caller, `cause` is for the log. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? HTTP_STATUS[this.code];
  }

  /** The body that every failed call answers with. */
  envelope(): ErrorEnvelope {
    const { suggestions, retryAfterSeconds } = this.details;
    return {
      error: { code: this.code, message: this.#linkedMessage(), ...(suggestions && { suggestions }) },
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    };
  }

  #linkedMessage(): string {
    return pages === null ? this.message : `${this.message} See ${pages}/errors#${this.code}`;
  }
}

/** The 405 of a path that takes other methods. */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): AppError {
  const allow = allowed.join(', ');
  return new AppError('invalid_request', `${method} is not allowed here; use ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
  });
}

/** Most characters of a caller's name of something in a message. */
const MOST_NAMED = 100;

/** The 400 of a query parameter that a call does not have. */
export function unknownParameter(name: string): AppError {
  return new AppError('invalid_request', `${name.slice(0, MOST_NAMED)}: is not a query parameter of this call.`);
}

export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string; suggestions?: readonly string[] };
  retry_after_seconds?: number;
}

/** Whatever was thrown, as the error the caller sees: an unknown failure is `internal_error`, its text stays inside. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal_error', isOverLimit(thrown) ? OVER_LIMIT : OUR_FAULT, {}, { cause: thrown });
}

const OUR_FAULT = 'Something went wrong on our side. Nothing was charged.';
/** Of reports and of acts alike: what it was about may have been charged before, or be charged when it ends. */
const OVER_LIMIT = 'This took longer than the service allows. Ask for less, or try again later.';

/** PostgreSQL ended a statement at its time limit, or gave a wait for a lock up. */
function isOverLimit(thrown: unknown): boolean {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
  return code === '57014' || code === '55P03';
}
