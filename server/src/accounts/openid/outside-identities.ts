import { type Pool, query, transaction } from '../../database/pool.ts';
import type { LiveSession } from '../login/sessions.ts';

/** Somebody as an identity provider knows them. */
export interface OutsideIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** What tells the provider later whose login ends: its own word for it, the session there, or the address. */
  readonly logoutHint: string | null;
}

type Owner = Pick<LiveSession, 'accountId' | 'tier' | 'history'>;

const BY_SUBJECT = {
  name: 'identity-by-subject',
  text: `select a.id as "accountId", a.tier, a.history from account_identity i join account a on a.id = i.account_id
         where i.issuer = $1 and i.subject = $2`,
};
/** In a statement of its own: of two people with one address at the same time the second one sees the first. */
const LOCK_EMAIL = {
  name: 'identity-lock-email',
  text: 'select id from account where lower(email) = lower($1) for no key update',
};
const BY_EMAIL = {
  name: 'identity-by-email',
  text: `select id as "accountId", tier, history, email_verified as "emailVerified",
           password_hash is not null as "hasPassword",
           exists (select 1 from account_identity i where i.account_id = a.id and i.issuer = $2 and i.subject <> $3)
             as "isConnected"
         from account a where lower(email) = lower($1)`,
};
const REMEMBER = {
  name: 'identity-remember',
  text: 'insert into account_identity (issuer, subject, account_id) values ($1, $2, $3) on conflict do nothing',
};

const VERIFY = { name: 'identity-verify-email', text: 'update account set email_verified = true where id = $1' };
const FORGET = { name: 'identity-forget', text: 'delete from account_identity where account_id = $1 returning 1' };

/** An account that has the address of somebody the provider vouches for, and is not known to be theirs. */
export interface Unconnected {
  readonly accountId: string;
  /** `connected`: another login of the same provider has it. `unverified`: whoever registered it has shown nothing. */
  readonly why: 'connected' | 'unverified';
  readonly hasPassword: boolean;
}

type Found = { readonly owner: Owner } | { readonly unconnected: Unconnected } | null;

/** Which account belongs to whom an outside provider vouches for. */
export class OutsideIdentities {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Somebody who was here before, whatever has become of the e-mail address. */
  async bySubject({ issuer, subject }: OutsideIdentity): Promise<Owner | null> {
    const [known] = await query<Owner>(this.#pool, BY_SUBJECT, [issuer, subject]);
    return known ?? null;
  }

  /** By the subject; the first time by the e-mail address, where that connects them. Null: nobody, or not yet. */
  async accountOf(identity: OutsideIdentity): Promise<Owner | null> {
    const known = await this.bySubject(identity);
    if (known) return known;
    const found = await this.byEmail(identity);
    return found && 'owner' in found ? found.owner : null;
  }

  /**
   * The account of a verified address, which is from then on found by the subject, whatever becomes of the address. Only
   * where the address is known to be the account's owner's, too, and no other login of the provider has the account: else
   * who registers somebody's address, or gets it after them, would have an account in common with them.
   */
  async byEmail({ issuer, subject, email, emailVerified }: OutsideIdentity): Promise<Found> {
    if (email === null || !emailVerified) return null;
    return transaction(this.#pool, async (client) => {
      await query(client, LOCK_EMAIL, [email]);
      const [row] = await query<AccountRow>(client, BY_EMAIL, [email, issuer, subject]);
      if (!row) return null;
      const { accountId, tier, history, hasPassword } = row;
      if (row.isConnected) return { unconnected: { accountId, why: 'connected', hasPassword } };
      if (!row.emailVerified) return { unconnected: { accountId, why: 'unverified', hasPassword } };
      await query(client, REMEMBER, [issuer, subject, accountId]);
      return { owner: { accountId, tier, history } };
    });
  }

  /** Both are the same person's, who has shown it. */
  async connect({ issuer, subject }: OutsideIdentity, accountId: string): Promise<void> {
    await transaction(this.#pool, async (client) => {
      await query(client, VERIFY, [accountId]);
      await query(client, REMEMBER, [issuer, subject, accountId]);
    });
  }

  /** Answers how many logins were forgotten. */
  async forget(accountId: string): Promise<number> {
    return (await query(this.#pool, FORGET, [accountId])).length;
  }
}

interface AccountRow extends Owner, Record<string, unknown> {
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
  readonly isConnected: boolean;
}

/** The claims of a token that was verified, as an identity. `trustEmail`: where they say nothing of it, it is verified. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { trustEmail }: { readonly trustEmail: boolean },
): OutsideIdentity | null {
  const { iss, sub, email, email_verified: verified, login_hint: hint, sid } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    logoutHint:
      ([hint, sid, email].find((each) => typeof each === 'string' && each !== '') as string | undefined) ?? null,
    // Some providers write it as a text.
    emailVerified: verified === true || verified === 'true' || (verified === undefined && trustEmail),
  };
}
