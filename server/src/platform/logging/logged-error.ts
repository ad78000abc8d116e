/** An error as a log line has it. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError | string;
  readonly [detail: string]: unknown;
}

const LONGEST_MESSAGE = 1000;
const LONGEST_STACK = 4000;
const DEEPEST_CAUSE = 4;
/** What PostgreSQL says of an error in its own words. `detail`, `where`, `internalQuery` and `hint` quote rows and values. */
const DATABASE_DETAILS = ['severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;
/** Data exceptions: their messages end in the value that was not understood. */
const DATA_EXCEPTION = /^22/;

/**
 * What a log says of an error: its kind, its message, where it came from. Other properties are left out, for some
 * libraries hang the statement with its values, the request or the response onto their errors, and a log is no place for
 * what a caller has sent.
 */
export function loggedError(thrown: unknown, depth = 0): LoggedError | string {
  if (!(thrown instanceof Error)) return shortened(String(thrown), LONGEST_MESSAGE);
  const { name, stack, cause } = thrown;
  const { code, severity } = thrown as { code?: unknown; severity?: unknown };
  const isDatabase = typeof severity === 'string' && typeof code === 'string';
  const message = shortened(isDatabase ? withoutValue(thrown.message, code) : thrown.message, LONGEST_MESSAGE);
  const details = isDatabase ? pick(thrown, DATABASE_DETAILS) : {};
  return {
    type: thrown.constructor?.name || name,
    message,
    ...(typeof code === 'string' && { code }),
    ...details,
    ...(stack && { stack: `${name}: ${message}${shortened(framesOf(stack), LONGEST_STACK)}` }),
    ...(cause !== undefined && depth < DEEPEST_CAUSE && { cause: loggedError(cause, depth + 1) }),
  };
}

function withoutValue(message: string, code: string): string {
  return DATA_EXCEPTION.test(code) ? message.replace(/(?::\s|\s?").*$/s, '') : message;
}

/** The stack begins with the message, which may have lines of its own. */
function framesOf(stack: string): string {
  const first = stack.search(/\n\s+at /);
  return first < 0 ? '' : stack.slice(first);
}

function pick(error: object, names: readonly string[]): Record<string, unknown> {
  const values = names.map((name) => [name, (error as Record<string, unknown>)[name]] as const);
  return Object.fromEntries(values.filter(([, value]) => typeof value === 'string'));
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
