import type pg from 'pg';
import { migrationScripts } from '../../database/migration-scripts.ts';
import { appliedMigrations, OWN_SCHEMA, schemaName, unknownMigrations } from '../../database/schema-version.ts';
import { exclusively } from '../../database/sessions/exclusively.ts';
import { withConnection } from '../../database/sessions/with-connection.ts';
import { MIGRATIONS_TABLE, type MigrationScript } from '../../database/upgrade/migration-script.ts';
import { GIVE_UP_OPEN, QUEUE_AGAIN } from '../../requests/store/restored-sql.ts';
import { RELEASE_PENDING, SKIP_PENDING } from '../../webhooks/sql/restored-sql.ts';
import { tablesInUse } from './contents.ts';
import { BackupError, type Header } from './format.ts';
import { loadBackup } from './load-backup.ts';
import { readHeader } from './read-archive.ts';

/** What becomes of requests and deliveries that had not ended: they go on at the next start, or are ended. */
export type InFlightChoice = 'resume' | 'end';

export interface Restored {
  readonly header: Header;
  readonly rows: number;
  /** Requests that are still to be ended, with `end`. */
  readonly givenUp: readonly string[];
  readonly skippedDeliveries: number;
}

const MISSING_RIGHT = '42501';

/**
 * Fills an empty database from a backup, in one transaction: schema, rows, and what becomes of work that was under way.
 * The role must own the tables.
 */
export async function restoreBackup(url: string, path: string, choice: InFlightChoice): Promise<Restored> {
  const header = await readHeader(path);
  requireKnown(header);
  const scripts = await migrationScripts(url);
  // Nobody migrates meanwhile: a process that starts now waits, and then finds everything.
  return exclusively(url, 'migration', null, () =>
    withConnection(url, { name: 'backup' }, async (client) => {
      await client.query('begin');
      try {
        const restored = await fill(client, { path, header, scripts, choice });
        await client.query('commit');
        await client.query('analyze'); // statistics are no rows: plans would be made for empty tables
        return restored;
      } catch (error) {
        throw (error as { code?: unknown }).code === MISSING_RIGHT ? lacksRight(error as Error) : error;
      }
    }),
  );
}

interface Filling {
  readonly path: string;
  readonly header: Header;
  readonly scripts: readonly MigrationScript[];
  readonly choice: InFlightChoice;
}

async function fill(client: pg.Client, { path, header, scripts, choice }: Filling): Promise<Restored> {
  const applied = await appliedMigrations(async (text) => (await client.query(text)).rows);
  await requireEmpty(client, applied, header);
  const wanted = new Set(header.migrations);
  const done = new Set(applied);
  await migrate(
    client,
    scripts.filter(({ name }) => wanted.has(name) && !done.has(name)),
  );
  const rows = await loadBackup(client, path, header);
  await migrate(
    client,
    scripts.filter(({ name }) => !wanted.has(name)),
  );
  if (choice === 'resume') {
    await client.query(QUEUE_AGAIN);
    await client.query(RELEASE_PENDING);
    return { header, rows, givenUp: [], skippedDeliveries: 0 };
  }
  const { rowCount } = await client.query(SKIP_PENDING);
  const givenUp = (await client.query<{ id: string }>(GIVE_UP_OPEN)).rows.map(({ id }) => id);
  return { header, rows, givenUp, skippedDeliveries: rowCount ?? 0 };
}

async function migrate(client: pg.Client, scripts: readonly MigrationScript[]): Promise<void> {
  for (const { name, statements } of scripts) {
    for (const statement of statements) await client.query(statement);
    await client.query(`insert into ${MIGRATIONS_TABLE} (name) values ($1)`, [name]);
  }
}

/** Who overwrites a database has two that are wrong. */
async function requireEmpty(client: pg.Client, applied: readonly string[], header: Header): Promise<void> {
  const used = applied.length === 0 ? [] : await tablesInUse(client);
  if (used.length > 0) {
    throw new BackupError(
      `The database is not empty (${used.slice(0, 3).join(', ')}): a backup is restored into a new one, ` +
        'another DATA_DIR or another DATABASE_URL. Nothing was changed.',
    );
  }
  const more = applied.filter((name) => !header.migrations.includes(name));
  if (more.length === 0) return;
  throw new BackupError(
    `The empty database has a newer schema (${schemaName(applied)}) than the backup (${schemaName(header.migrations)}): ` +
      'restore into one that no process has been started with. Nothing was changed.',
  );
}

function requireKnown({ migrations, version }: Header): void {
  if (unknownMigrations(migrations).length === 0) return;
  throw new BackupError(
    `The backup was made by a newer version (${version}, schema ${schemaName(migrations)}) than this one ` +
      `(schema ${OWN_SCHEMA}): restore it with that one or a later one. Nothing was changed.`,
  );
}

function lacksRight(cause: Error): BackupError {
  return new BackupError(
    `The role of DATABASE_URL may not do what a restore needs (${cause.message}): ` +
      'give the URL of the role that owns the tables. Nothing was changed.',
    { cause },
  );
}
