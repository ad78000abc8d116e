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

  /** Somebody who was here before, whatever has become of the e-mail address. */
  async bySubject({ issuer, subject }: OutsideIdentity): Promise<Owner | null> {
    const [known] = await query<Owner & Record<string, unknown>>(this.#pool, BY_SUBJECT, [issuer, subject]);
    return known ?? null;
  }

  /** By the subject; the first time by the e-mail address, where the provider has verified it. */
  async accountOf(identity: OutsideIdentity): Promise<Owner | null> {
    const { issuer, subject, email, emailVerified } = identity;
    const known = await this.bySubject(identity);
    if (known || email === null || !emailVerified) return known;
    return transaction(this.#pool, async (client) => {
      const [owner] = await query<Owner & Record<string, unknown>>(client, BY_EMAIL, [email]);
      if (owner) await query(client, REMEMBER, [issuer, subject, owner.accountId]);
      return owner ?? null;
    });
  }
}

/** The claims of a token that was verified, as an identity. `trustEmail`: where they say nothing of it, it is verified. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { trustEmail }: { readonly trustEmail: boolean },
): OutsideIdentity | null {
  const { iss, sub, email, email_verified: verified } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    // Some providers write it as a text.
    emailVerified: verified === true || verified === 'true' || (verified === undefined && trustEmail),
  };
}
