import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../platform/errors.ts';
import type { PasswordLogin } from '../login/password-login.ts';
import { isBadToken, OWN_ISSUER } from '../login/session-tokens.ts';
import { ALGORITHM, type SigningKeys } from '../login/signing-keys.ts';
import { LoginFailure } from './openid-failure.ts';
import type { OutsideIdentities, OutsideIdentity } from './outside-identities.ts';

/** Apart from that of session tokens: neither is good for the other. */
const AUDIENCE = 'ocr-router-connect';
/** How long somebody may look for the password. */
export const CONNECT_SECONDS = 600;

/** Somebody whom the provider vouches for, before an account of their address that nobody has shown to be theirs. */
export interface Newcomer extends OutsideIdentity {
  readonly email: string;
  readonly accountId: string;
}

export interface AccountConnectionsDeps {
  readonly keys: SigningKeys;
  readonly identities: OutsideIdentities;
  readonly passwords: PasswordLogin;
}

/**
 * Connects a login at the provider with an account that was registered with the same address and a password: whoever knows
 * both is the owner of both. Without the password neither side takes the other's over.
 */
export class AccountConnections {
  readonly #deps: AccountConnectionsDeps;

  constructor(deps: AccountConnectionsDeps) {
    this.#deps = deps;
  }

  /** What the browser keeps while the person types: it says who came from the provider. */
  async ask({ issuer, subject, email, accountId, logoutHint }: Newcomer): Promise<string> {
    const { kid, privateKey } = await this.#deps.keys.current();
    return new SignJWT({ idp: issuer, person: subject, email, hint: logoutHint })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(OWN_ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(accountId)
      .setExpirationTime(`${CONNECT_SECONDS}s`)
      .sign(privateKey);
  }

  /** Whose password is asked for; throws when the time is over. */
  async read(token: string | null): Promise<Newcomer> {
    const { sub, idp, person, email, hint } = await this.#verify(token ?? '');
    const isComplete = [sub, idp, person, email].every((claim) => typeof claim === 'string');
    if (!isComplete) throw new LoginFailure('late');
    return {
      accountId: `${sub}`,
      issuer: `${idp}`,
      subject: `${person}`,
      email: `${email}`,
      emailVerified: true,
      logoutHint: typeof hint === 'string' ? hint : null,
    };
  }

  /** The account, from now on found by the login at the provider. Throws 401 for a wrong password, 429 after too many. */
  async confirm(newcomer: Newcomer, password: string, address: string): Promise<string> {
    const accountId = await this.#deps.passwords.check(newcomer.email, password, address);
    // The address may have become another account's since.
    if (accountId !== newcomer.accountId) throw new LoginFailure('late');
    await this.#deps.identities.connect(newcomer, accountId);
    return accountId;
  }

  async #verify(token: string) {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = kid === undefined ? null : await this.#deps.keys.find(kid);
      if (!key) throw new AppError('authentication_error', 'The key is not known.');
      return key;
    };
    try {
      const expected = { algorithms: [ALGORITHM], issuer: OWN_ISSUER, audience: AUDIENCE, requiredClaims: ['exp'] };
      return (await jwtVerify(token, keyOf, expected)).payload;
    } catch (error) {
      if (isBadToken(error) || error instanceof AppError) throw new LoginFailure('late');
      throw error;
    }
  }
}
