import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../callers/caller.ts';
import { sessionCaller } from './session-caller.ts';
import type { Sessions } from './sessions.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** What our own tokens say of where they come from and whom they are for. */
export const OWN_ISSUER = 'ocr-router';
const OWN_AUDIENCE = 'ocr-router-api';
const LIFETIME_SECONDS = 3600;
const CLOCK_SKEW_SECONDS = 30;

/** The bearer tokens of the playground: short-lived, and worth nothing once their session has ended. */
export class SessionTokens {
  readonly #keys: SigningKeys;
  readonly #sessions: Sessions;

  constructor(keys: SigningKeys, sessions: Sessions) {
    this.#keys = keys;
    this.#sessions = sessions;
  }

  /** A token of a session: for an hour, or until the session ends. */
  async issue(session: { id: string; accountId: string; expiresAt: Date }): Promise<string> {
    const { kid, privateKey } = await this.#keys.current();
    const now = Math.floor(Date.now() / 1000);
    const end = Math.min(now + LIFETIME_SECONDS, Math.floor(session.expiresAt.getTime() / 1000));
    return new SignJWT({ sid: session.id })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(OWN_ISSUER)
      .setAudience(OWN_AUDIENCE)
      .setSubject(session.accountId)
      .setIssuedAt(now)
      .setExpirationTime(end)
      .sign(privateKey);
  }

  /** Who calls with a token of ours; null when it is not valid, or its session has ended. */
  async caller(token: string): Promise<Caller | null> {
    const claims = await this.#verify(token);
    if (typeof claims?.['sid'] !== 'string') return null;
    const session = await this.#sessions.byId(claims['sid']);
    return session && session.accountId === claims.sub ? sessionCaller(session, 'token') : null;
  }

  async #verify(token: string) {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = kid === undefined ? null : await this.#keys.find(kid);
      if (!key) throw new UnknownKey();
      return key;
    };
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [ALGORITHM],
        issuer: OWN_ISSUER,
        audience: OWN_AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp'],
        clockTolerance: CLOCK_SKEW_SECONDS,
      });
      return payload;
    } catch (error) {
      if (isBadToken(error)) return null;
      throw error;
    }
  }
}

class UnknownKey extends Error {
  readonly code = 'ERR_JWKS_NO_MATCHING_KEY';
}

/** Whether the token is to blame, and not the database behind the keys. */
export function isBadToken(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code ?? '').startsWith('ERR_J');
}
