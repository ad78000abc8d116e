import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Pool, query, transaction } from '../../database/pool.ts';
import type { Secrets } from '../../database/secrets/secrets.ts';
import { subjectOf } from '../../database/secrets/stored-secrets.ts';

export const ALGORITHM = 'ES256';
/** One number for the whole product: the process that makes the first key holds this advisory lock. */
const FIRST_KEY_LOCK = 7_274_111;
/** Keys are read anew when they are older than this: a rotated key signs, and a removed one is refused, within it. */
const REREAD_MS = 30_000;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** As `/.well-known/jwks.json` shows it. */
  readonly publicJwk: JWK;
}

const READ = {
  name: 'identity-keys',
  text: `select kid, private_jwk, verify_until is not null as retired from identity_key
         where verify_until is null or verify_until > now() order by verify_until is not null, created_at desc, kid`,
};
const INSERT = {
  name: 'identity-key-insert',
  text: `insert into identity_key (kid, private_jwk) select $1, $2::jsonb
         where not exists (select 1 from identity_key where verify_until is null)`,
};
/** Tokens live for an hour, and other processes may sign with the former key until they have read the keys anew. */
const RETIRE = {
  name: 'identity-key-retire',
  text: `update identity_key set verify_until = now() + interval '65 minutes' where verify_until is null returning kid`,
};

/** The key pairs of the embedded identity provider: made once, kept in the database, shared by all processes. */
export class SigningKeys {
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #now: () => number;
  #keys: Promise<SigningKey[]> | null = null;
  #readAt = 0;

  constructor(pool: Pool, secrets: Secrets, now: () => number = Date.now) {
    this.#pool = pool;
    this.#secrets = secrets;
    this.#now = now;
  }

  /** The newest key, which signs. */
  async current(): Promise<SigningKey> {
    const [key] = await this.all();
    if (!key) throw new Error('there is no signing key');
    return key;
  }

  /** The public key of a token's header; null for one that is not ours. */
  async find(kid: string): Promise<CryptoKey | null> {
    return (await this.all()).find((key) => key.kid === kid)?.publicKey ?? null;
  }

  /** Makes a new key that signs; the former ones verify until what they have signed has expired. */
  async rotate(): Promise<{ kid: string; retired: string[] }> {
    const made = await this.#make();
    const retired = await transaction(this.#pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      const rows = await query<{ kid: string }>(client, RETIRE, []);
      await query(client, INSERT, [made.kid, made.stored]);
      return rows.map(({ kid }) => kid);
    });
    this.#keys = null;
    return { kid: made.kid, retired };
  }

  /** The keys that are believed, the one that signs first. */
  all(): Promise<SigningKey[]> {
    if (this.#now() - this.#readAt >= REREAD_MS) this.#keys = null;
    this.#keys ??= this.#read().catch((error: unknown) => {
      this.#keys = null; // the next call tries again
      throw error;
    });
    return this.#keys;
  }

  async #read(): Promise<SigningKey[]> {
    this.#readAt = this.#now();
    let rows = await query<KeyRow>(this.#pool, READ, []);
    if (!rows.some(({ retired }) => !retired)) {
      await this.#makeFirst();
      rows = await query<KeyRow>(this.#pool, READ, []);
    }
    return Promise.all(rows.map((row) => this.#open(row)));
  }

  async #makeFirst(): Promise<void> {
    const { kid, stored } = await this.#make();
    await transaction(this.#pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      await query(client, INSERT, [kid, stored]);
    });
  }

  /** A new key as it is stored: a JWK, or a JSON string with the encrypted one. */
  async #make(): Promise<{ kid: string; stored: string }> {
    const kid = randomUUID();
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = JSON.stringify(await exportJWK(privateKey));
    const sealed = this.#secrets.seal(subjectOf('identity_key', kid), jwk);
    return { kid, stored: sealed === jwk ? jwk : JSON.stringify(sealed) };
  }

  #open({ kid, private_jwk }: KeyRow): Promise<SigningKey> {
    const stored = private_jwk;
    if (typeof stored !== 'string') return openKey(kid, stored);
    return openKey(kid, JSON.parse(this.#secrets.open(subjectOf('identity_key', kid), stored)));
  }
}

interface KeyRow {
  kid: string;
  private_jwk: JWK | string;
  retired: boolean;
}

async function openKey(kid: string, private_jwk: JWK): Promise<SigningKey> {
  const { d: _secret, ...rest } = private_jwk;
  const publicJwk = { ...rest, kid, alg: ALGORITHM, use: 'sig' };
  const [privateKey, publicKey] = await Promise.all([importJWK(private_jwk, ALGORITHM), importJWK(publicJwk)]);
  // An EC key is never bytes: those are symmetric.
  return { kid, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, publicJwk };
}
