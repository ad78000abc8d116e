import type { Authenticator } from '../accounts/authenticate.ts';
import type { Caller } from '../accounts/caller.ts';

/** Who is at the other end of a socket. */
export interface Visitor {
  /** Two sockets with the same credentials have the same text: they are looked up once for both. */
  readonly credentials: (params: Readonly<Record<string, unknown>>) => string | null;
  /** Who has the credentials at this moment; throws or answers null when they are no longer good. */
  readonly callerOf: (credentials: string) => Promise<Caller | null>;
}

/** At the API's address: a bearer key, in `connection_init`. */
export function apiVisitor(authenticator: Authenticator): Visitor {
  return {
    credentials: ({ authorization, Authorization }) => textOf(authorization ?? Authorization),
    callerOf: (credentials) => authenticator.authenticate(credentials),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
