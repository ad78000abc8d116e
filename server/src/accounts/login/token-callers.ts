import { decodeJwt } from 'jose';
import type { TokenCallers } from '../callers/authenticate.ts';
import { OWN_ISSUER } from './session-tokens.ts';

/** Hands a token to the one who can check it: ourselves for our own, the outside provider, where there is one, for others. */
export function tokenCallers(own: TokenCallers, outside: TokenCallers | null): TokenCallers {
  return {
    caller: async (token) => {
      const checker = issuerOf(token) === OWN_ISSUER ? own : outside;
      return checker ? checker.caller(token) : null;
    },
  };
}

/** What the token says of itself, unproved. */
export function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return null;
  }
}
