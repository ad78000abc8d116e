import { type Pool, query, transaction } from '../database/pool.ts';
import type { LiveSession } from './sessions.ts';

/** Somebody as an identity provider knows them. */
export interface OutsideIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

type Owner = Pick<LiveSession, 'accountId' | 'tier' | 'history'>;

const BY_SUBJECT = {
  name: 'identity-by-subject',
  text: `select a.id as "accountId", a.tier, a.history from account_identity i join account a on a.id = i.account_id
         where i.issuer = $1 and i.subject = $2`,
};
const BY_EMAIL = {
  name: 'identity-by-email',
  text: 'select id as "accountId", tier, history from account where lower(email) = lower($1)',
};
const REMEMBER = {
  name: 'identity-remember',
  text: 'insert into account_identity (issuer, subject, account_id) values ($1, $2, $3) on conflict do nothing',
};

/** Which account belongs to whom an outside provider vouches for. */
export class OutsideIdentities {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * By the subject; the first time by the e-mail address, where the provider has verified it, and from then on by the
   * subject, whatever becomes of the address.
   */
  async accountOf({ issuer, subject, email, emailVerified }: OutsideIdentity): Promise<Owner | null> {
    const [known] = await query<Owner & Record<string, unknown>>(this.#pool, BY_SUBJECT, [issuer, subject]);
    if (known || email === null || !emailVerified) return known ?? null;
    return transaction(this.#pool, async (client) => {
      const [owner] = await query<Owner & Record<string, unknown>>(client, BY_EMAIL, [email]);
      if (owner) await query(client, REMEMBER, [issuer, subject, owner.accountId]);
      return owner ?? null;
    });
  }
}

/** The claims of a token that was verified, as an identity. */
export function identityOf(claims: Readonly<Record<string, unknown>>): OutsideIdentity | null {
  const { iss, sub, email } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email : null,
    emailVerified: claims['email_verified'] === true,
  };
}
