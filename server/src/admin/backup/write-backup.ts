import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';
import copy from 'pg-copy-streams';
import { appliedMigrations, schemaName } from '../../database/schema-version.ts';
import { withConnection } from '../../database/sessions/with-connection.ts';
import { syncFolder } from '../../platform/files/sync-folder.ts';
import { VERSION } from '../../platform/version.ts';
import { readInFlight, readLedgerSums, readSequences, readTables, type TableContents } from './contents.ts';
import { BackupError, FORMAT, HEADER, type Header, MANIFEST, type TableProof } from './format.ts';
import { ArchiveWriter } from './write-archive.ts';

/** What was backed up, for who asked for it. */
export interface BackupReport {
  readonly bytes: number;
  readonly schema: string | null;
  readonly rows: number;
  readonly header: Header;
  /** Whether a key is needed for its secrets. */
  readonly isSealed: boolean;
}

/**
 * Copies everything that the database holds into a file, as it is at one moment, while the service goes on. The file gets
 * its name when it is complete.
 */
export async function writeBackup(databaseUrl: string, path: string): Promise<BackupReport> {
  if (existsSync(path)) throw new BackupError(`${path} exists: a backup overwrites nothing.`);
  const draft = `${path}.${process.pid}.part`;
  try {
    const { header, tables } = await withConnection(databaseUrl, { name: 'backup' }, (client) =>
      copyOut(client, draft),
    );
    await rename(draft, path);
    await syncFolder(dirname(path));
    const { size } = await stat(path);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const isSealed = tables.some((table) => table.name === 'secret_key' && table.rows > 0);
    return { bytes: size, schema: schemaName(header.migrations), rows, header, isSealed };
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException; // what is thrown here is an Error
    throw syscall === undefined ? error : new BackupError(`${path} cannot be written: ${message}.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

async function copyOut(client: pg.Client, draft: string): Promise<{ header: Header; tables: TableProof[] }> {
  // What is read only takes no lock that writers wait for, and sees what was committed before its first statement.
  await client.query('begin isolation level repeatable read, read only');
  const archive = new ArchiveWriter(draft);
  try {
    await requireNoArchiving(client);
    const contents = await readTables(client);
    const header = await describe(client, contents);
    await archive.addJson(HEADER, header);
    const tables: TableProof[] = [];
    for (const table of contents) tables.push(await copyTable(client, archive, table));
    const sums = await readLedgerSums(client);
    const ledger = sums.map(({ kind, transfers, nanoUsd }) => ({ kind, transfers, nano_usd: nanoUsd }));
    await archive.addJson(MANIFEST, { tables, ledger });
    await archive.end();
    return { header, tables };
  } catch (error) {
    throw await archive.abort(error as Error); // what is thrown here is an Error
  }
}

/** What `archive` has taken out of its table and not written to a file yet is neither of a table nor in a file. */
async function requireNoArchiving(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('archived_part')`);
  if (tables.length === 0) return;
  const { rows } = await client.query<{ part: string }>('select part from archived_part where file is null limit 1');
  const [unfinished] = rows;
  if (unfinished)
    throw new BackupError(
      `${unfinished.part} is being archived: when that has ended, or was ended by the same command, try again.`,
    );
}

async function describe(client: pg.Client, tables: readonly TableContents[]): Promise<Header> {
  const migrations = await appliedMigrations(async (text) => (await client.query(text)).rows);
  if (migrations.length === 0) throw new BackupError('The database is empty: there is nothing to back up.');
  const sequences = await readSequences(client);
  return {
    format: FORMAT,
    version: VERSION,
    created_at: new Date().toISOString(),
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sequences: sequences.map(({ name, lastValue, isCalled }) => ({
      name,
      last_value: lastValue,
      is_called: isCalled,
    })),
    in_flight: await readInFlight(client),
  };
}

async function copyTable(client: pg.Client, archive: ArchiveWriter, table: TableContents): Promise<TableProof> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const rows = client.query(copy.to(`copy (select ${columns} from ${client.escapeIdentifier(table.name)}) to stdout`));
  const { bytes, sha256 } = await archive.addStream(`data/${table.name}`, rows);
  return { name: table.name, rows: rows.rowCount, bytes, sha256 };
}
