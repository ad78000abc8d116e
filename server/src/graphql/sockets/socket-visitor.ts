import type { Authenticator } from '../../accounts/callers/authenticate.ts';
import type { Caller } from '../../accounts/callers/caller.ts';

/** The visitor of a socket, whose credentials are checked as long as it is open. */
export interface Visitor {
  /** The credentials as a text; null without any. Equal texts are looked up once for several sockets. */
  readonly credentials: (params: Readonly<Record<string, unknown>>) => string | null;
  /** The caller that has the credentials now. Throws, or answers null, where they are no longer good. */
  readonly callerOf: (credentials: string) => Promise<Caller | null>;
}

/** The visitor at the API's address: a bearer key, in `connection_init`. `address`: where the socket comes from. */
export function apiVisitor(authenticator: Authenticator, address: string): Visitor {
  return {
    credentials: (params) => authorizationIn(params) ?? authorizationIn(params['headers']),
    callerOf: (credentials) => authenticator.authenticate(credentials, address),
  };
}

/** The value of `Authorization`, whose name clients write in any case, as in headers. */
function authorizationIn(params: unknown): string | null {
  if (typeof params !== 'object' || params === null) return null;
  const [, value] = Object.entries(params).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' ? value : null;
}
