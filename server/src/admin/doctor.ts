import { join } from 'node:path';
import type { Check, LedgerProof } from '../billing/ledger-proof.ts';
import { dividedTables, MOST_OUTSIDE } from '../database/months/month-parts.ts';
import { type Pool, query } from '../database/pool.ts';
import { appliedMigrations, OWN_SCHEMA, schemaName } from '../database/schema-version.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { inspectSecrets } from '../database/secrets/stored-secrets.ts';
import { readPartFile } from '../requests/archive/part-file.ts';

export interface Diagnosis {
  readonly ok: boolean;
  /** The newest migration of the database, and of this program. */
  readonly schema: { readonly database: string | null; readonly program: string };
  readonly checks: readonly Check[];
}

/** Proves the books, that every stored secret opens, and that requests to come have their month. */
export async function diagnose(
  { pool, proof, secrets }: { pool: Pool; proof: LedgerProof; secrets: Secrets },
  { full, fast, archives = null }: { full: boolean; fast: boolean; archives?: string | null },
): Promise<Diagnosis> {
  const checks = [...(await proof.check({ full, fast })), await checkSecrets(pool, secrets), await checkMonths(pool)];
  if (archives !== null) checks.push(await checkArchives(pool, archives));
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

/** Rows without a month are found and counted as any other; a month that is missing is noticed here before it begins. */
async function checkMonths(pool: Pool): Promise<Check> {
  const tables = await dividedTables(pool);
  const told = tables.map(({ name, divided, ahead, outside }) => {
    const strays =
      outside === 0 ? '' : `, ${outside === MOST_OUTSIDE ? 'more than 10000' : outside} rows without a month`;
    return divided ? `${name} ${ahead} ahead${strays}` : `${name} is not divided yet`;
  });
  return {
    name: 'months are made ahead',
    ok: tables.every(({ divided, ahead }) => !divided || ahead > 0),
    detail: told.join('; '),
  };
}

const ARCHIVED = { name: 'doctor-archived', text: 'select part, file, sha256 from archived_part order by high, part' };

/** Every file that was written, as it was written: a row of an archive is changed by nobody without being noticed. */
async function checkArchives(pool: Pool, folder: string): Promise<Check> {
  const files = await query<{ part: string; file: string | null; sha256: string | null }>(pool, ARCHIVED, []);
  const wrong: string[] = [];
  for (const { part, file, sha256 } of files) {
    const isSame =
      file !== null &&
      (await readPartFile(join(folder, file)).then(
        (read) => read.sha256 === sha256,
        () => false,
      ));
    if (!isSame) wrong.push(file ?? `${part} (to be finished by the same command)`);
  }
  const detail = `${files.length} ${files.length === 1 ? 'file' : 'files'}${wrong.length === 0 ? '' : `; not as they were written, or missing: ${wrong.join(', ')}`}`;
  return { name: 'archives are as they were written', ok: wrong.length === 0, detail };
}
