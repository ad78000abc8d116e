import type { Authenticator } from '../../accounts/callers/authenticate.ts';
import type { Caller } from '../../accounts/callers/caller.ts';

/** Who is at the other end of a socket. */
export interface Visitor {
  /** Two sockets with the same credentials have the same text: they are looked up once for both. */
  readonly credentials: (params: Readonly<Record<string, unknown>>) => string | null;
  /** Who has the credentials at this moment; throws or answers null when they are no longer good. */
  readonly callerOf: (credentials: string) => Promise<Caller | null>;
}

/** At the API's address: a bearer key, in `connection_init`. `address`: where the socket comes from. */
export function apiVisitor(authenticator: Authenticator, address: string): Visitor {
  return {
    credentials: (params) => authorizationIn(params) ?? authorizationIn(params['headers']),
    callerOf: (credentials) => authenticator.authenticate(credentials, address),
  };
}

/** Clients write the name as they write headers: in any case. */
function authorizationIn(params: unknown): string | null {
  if (typeof params !== 'object' || params === null) return null;
  const [, value] = Object.entries(params).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' ? value : null;
}
