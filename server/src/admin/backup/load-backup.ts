import type pg from 'pg';
import { FILLED_BY_MIGRATIONS, readLedgerSums, readTables } from './contents.ts';
import { BackupError, type Header, type Manifest, type TableProof } from './format.ts';
import { readArchive } from './read-archive.ts';
import { TableLoader } from './table-loader.ts';

/**
 * Loads the rows of a backup into its schema, within the transaction of the connection. Throws `BackupError` where a
 * table, a sum of the ledger or the file itself is not what the backup says; nothing may be committed then.
 */
export async function loadBackup(client: pg.Client, path: string, expected: Header): Promise<number> {
  const known = await readTables(client);
  const columnsOf = new Map(expected.tables.map(({ name, columns }) => [name, columns]));
  requireSameTables(
    known.map(({ name }) => name),
    [...columnsOf.keys()],
  );
  for (const name of FILLED_BY_MIGRATIONS.filter((one) => columnsOf.has(one))) {
    await client.query(`delete from ${client.escapeIdentifier(name)}`);
  }
  await triggers(client, known, 'disable');
  const proofs: TableProof[] = [];
  let loader: TableLoader | null = null;
  const close = async () => {
    if (loader) proofs.push(await loader.end());
    loader = null;
  };
  await readArchive(path, {
    onHeader: async (header) => {
      if (JSON.stringify(header) !== JSON.stringify(expected))
        throw new BackupError('The backup changed while it was read.');
    },
    onPiece: async (table, piece) => {
      if (loader?.table !== table) {
        await close();
        if (proofs.some(({ name }) => name === table)) throw new BackupError(`The backup has ${table} twice.`);
        loader = loaderOf(client, table, columnsOf.get(table));
      }
      for await (const chunk of piece as AsyncIterable<Buffer>) await loader.write(chunk);
    },
    onManifest: async (manifest) => {
      await close();
      requireSameRows(manifest, proofs);
      await requireSameLedger(client, manifest);
    },
  });
  await triggers(client, known, 'enable');
  for (const { name, last_value, is_called } of expected.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      client.escapeIdentifier(name),
      last_value,
      is_called,
    ]);
  }
  return proofs.reduce((sum, { rows }) => sum + rows, 0);
}

/** Those of the service count and forbid what happens now; rows of a backup were counted when they were new. */
async function triggers(
  client: pg.Client,
  tables: readonly { name: string }[],
  verb: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await client.query(`alter table ${client.escapeIdentifier(name)} ${verb} trigger user`);
}

function loaderOf(client: pg.Client, table: string, columns: readonly string[] | undefined): TableLoader {
  if (!columns) throw new BackupError(`The backup has rows of ${table}, which its header does not name.`);
  return new TableLoader(client, table, columns);
}

function requireSameTables(known: readonly string[], given: readonly string[]): void {
  const differing = [
    ...given.filter((name) => !known.includes(name)),
    ...known.filter((name) => !given.includes(name)),
  ];
  if (differing.length === 0) return;
  throw new BackupError(`The backup and its own schema do not have the same tables: ${differing.join(', ')}.`);
}

/** A table without rows has no pieces. */
function requireSameRows({ tables }: Manifest, proofs: readonly TableProof[]): void {
  for (const { name, rows, bytes, sha256 } of tables) {
    const proof = proofs.find((one) => one.name === name);
    const isSame = proof ? proof.rows === rows && proof.sha256 === sha256 : rows === 0 && bytes === 0;
    if (!isSame) throw new BackupError(`The backup is damaged: the rows of ${name} are not those that were written.`);
  }
  const extra = proofs.find((proof) => !tables.some(({ name }) => name === proof.name));
  if (extra) throw new BackupError(`The backup is damaged: it has rows of ${extra.name} that no export writes.`);
}

async function requireSameLedger(client: pg.Client, { ledger }: Manifest): Promise<void> {
  const loaded = (await readLedgerSums(client)).map(({ kind, transfers, nanoUsd }) => [kind, transfers, nanoUsd]);
  const written = ledger.map(({ kind, transfers, nano_usd }) => [kind, transfers, nano_usd]);
  if (JSON.stringify(loaded) !== JSON.stringify(written)) {
    throw new BackupError('The backup is damaged: its ledger does not have the sums that were written.');
  }
}
