import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Pool, query, transaction } from '../database/pool.ts';

export const ALGORITHM = 'ES256';
/** One number for the whole product: whoever makes the first key holds this advisory lock. */
const FIRST_KEY_LOCK = 7_274_111;
/** A token that names an unknown key makes us look for new ones, but not more often than this. */
const REREAD_MS = 30_000;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** As `/.well-known/jwks.json` shows it. */
  readonly publicJwk: JWK;
}

const READ = { name: 'identity-keys', text: 'select kid, private_jwk from identity_key order by created_at desc' };
const INSERT = {
  name: 'identity-key-insert',
  text: `insert into identity_key (kid, private_jwk) select $1, $2::jsonb where not exists (select 1 from identity_key)`,
};

/** The key pairs of the embedded identity provider: made once, kept in the database, shared by all processes. */
export class SigningKeys {
  readonly #pool: Pool;
  #keys: Promise<SigningKey[]> | null = null;
  #readAt = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The newest key, which signs. */
  async current(): Promise<SigningKey> {
    const [key] = await this.all();
    if (!key) throw new Error('there is no signing key');
    return key;
  }

  /** The public key of a token's header; null for one that is not ours. */
  async find(kid: string): Promise<CryptoKey | null> {
    const known = (await this.all()).find((key) => key.kid === kid);
    if (known || Date.now() - this.#readAt < REREAD_MS) return known?.publicKey ?? null;
    this.#keys = null;
    return (await this.all()).find((key) => key.kid === kid)?.publicKey ?? null;
  }

  all(): Promise<SigningKey[]> {
    this.#keys ??= this.#read().catch((error: unknown) => {
      this.#keys = null; // the next call tries again
      throw error;
    });
    return this.#keys;
  }

  async #read(): Promise<SigningKey[]> {
    this.#readAt = Date.now();
    let rows = await query<KeyRow>(this.#pool, READ, []);
    if (rows.length === 0) {
      await this.#makeFirst();
      rows = await query<KeyRow>(this.#pool, READ, []);
    }
    return Promise.all(rows.map(open));
  }

  async #makeFirst(): Promise<void> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = JSON.stringify(await exportJWK(privateKey));
    await transaction(this.#pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      await query(client, INSERT, [randomUUID(), jwk]);
    });
  }
}

interface KeyRow {
  kid: string;
  private_jwk: JWK;
}

async function open({ kid, private_jwk }: KeyRow): Promise<SigningKey> {
  const { d: _secret, ...rest } = private_jwk;
  const publicJwk = { ...rest, kid, alg: ALGORITHM, use: 'sig' };
  const [privateKey, publicKey] = await Promise.all([importJWK(private_jwk, ALGORITHM), importJWK(publicJwk)]);
  // An EC key is never bytes: those are symmetric.
  return { kid, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, publicJwk };
}
