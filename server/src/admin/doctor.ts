import type { Check, LedgerProof } from '../billing/ledger-proof.ts';
import { type Pool, query } from '../database/pool.ts';
import { appliedMigrations, OWN_SCHEMA, schemaName } from '../database/schema-version.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { inspectSecrets } from '../database/secrets/stored-secrets.ts';

export interface Diagnosis {
  readonly ok: boolean;
  /** The newest migration of the database, and of this program. */
  readonly schema: { readonly database: string | null; readonly program: string };
  readonly checks: readonly Check[];
}

/** Proves the books, and that every stored secret opens. */
export async function diagnose(
  { pool, proof, secrets }: { pool: Pool; proof: LedgerProof; secrets: Secrets },
  { full }: { full: boolean },
): Promise<Diagnosis> {
  const checks = [...(await proof.check({ full })), await checkSecrets(pool, secrets)];
  const applied = await appliedMigrations((text) => query(pool, { name: `doctor ${text.slice(7, 40)}`, text }, []));
  const schema = { database: schemaName(applied), program: OWN_SCHEMA };
  return { ok: checks.every(({ ok }) => ok), schema, checks };
}

async function checkSecrets(pool: Pool, secrets: Secrets): Promise<Check> {
  const { encrypted, plain, unreadable } = await inspectSecrets(pool, secrets);
  const unprotected = secrets.encrypts ? '' : ' (SECRETS_KEY is not set)';
  const detail = `${encrypted} encrypted, ${plain} plain${unprotected}, ${unreadable} that no key opens`;
  return { name: 'secrets can be opened', ok: unreadable === 0, detail };
}
