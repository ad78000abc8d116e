import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../platform/logging/log.ts';
import { buildIndexes, closeBuilds, noteBuilds, openBuilds } from './index-builds.ts';
import { largeIndexOf } from './large-indexes.ts';
import { MIGRATIONS_TABLE, type MigrationScript } from './migration-script.ts';

/** Who needs a table waits behind a migration that waits for it: no longer than this at a time. */
const LOCK_MS = 2000;
const TRIES = 30;
/** Between two tries: those who waited are served. */
const PAUSE_MS = 3000;

export interface UpgradeOptions {
  readonly log: Log | null;
  /** From which size on a table's index is built beside what writes the table. */
  readonly largeBytes?: number;
  readonly pauseMs?: number;
}

const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * Brings a database that is in use further: each migration in a transaction of its own, then what it adds as indexes of large
 * tables, while others write them. Where it ends before its end, the next call goes on.
 */
export async function upgrade(
  url: string,
  scripts: readonly MigrationScript[],
  options: UpgradeOptions,
): Promise<void> {
  const { log } = options;
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ocr-router migration',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    options: '-c statement_timeout=0',
  });
  client.on('error', () => undefined); // the statement that was under way reports it
  await client.connect();
  try {
    await openBuilds(client);
    await buildIndexes(client, log);
    for (const script of scripts) {
      await applyPatiently(client, script, options);
      await buildIndexes(client, log);
    }
    await closeBuilds(client);
  } finally {
    await client.end();
  }
}

async function applyPatiently(client: pg.Client, script: MigrationScript, options: UpgradeOptions): Promise<void> {
  const { log, pauseMs = PAUSE_MS } = options;
  for (let nth = 1; ; nth++) {
    try {
      return await apply(client, script, options);
    } catch (error) {
      if (!isLocked(error) || nth === TRIES) throw error;
      log?.warn({ migration: script.name, nth }, 'a migration waits for a table that somebody has locked');
      await sleep(pauseMs);
    }
  }
}

async function apply(client: pg.Client, script: MigrationScript, options: UpgradeOptions): Promise<void> {
  const { largeBytes = LARGE_BYTES } = options;
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    for (const statement of script.statements) {
      const index = await largeIndexOf(client, statement, largeBytes);
      const text = index ? index.now : statement;
      if (text !== null) await client.query(text);
      if (index) await noteBuilds(client, index.builds);
    }
    await client.query(`insert into ${MIGRATIONS_TABLE} (name) values ($1)`, [script.name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}
