import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../platform/logging/log.ts';
import { onOwnClient } from '../sessions/own-client.ts';
import { buildIndexes, closeBuilds, noteBuilds, openBuilds } from './index-builds.ts';
import { largeIndexOf } from './large-indexes.ts';
import { MIGRATIONS_TABLE, type MigrationScript } from './migration-script.ts';

/** Longest wait of a migration for a table, in ms: others that need the table wait behind it. */
const LOCK_MS = 2000;
const TRIES = 30;
/** Milliseconds between two tries, in which the others are served. */
const PAUSE_MS = 3000;

export interface UpgradeOptions {
  readonly log: Log | null;
  /** Least bytes of a table whose index is built while the table is written. */
  readonly largeBytes?: number;
  readonly pauseMs?: number;
}

const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * Upgrades a database that is in use: each migration in a transaction of its own, then its indexes of large tables, which are
 * built while the tables are written. Where an upgrade was broken off, the next call goes on.
 */
export async function upgrade(
  url: string,
  scripts: readonly MigrationScript[],
  options: UpgradeOptions,
): Promise<void> {
  const { log } = options;
  const config = {
    connectionString: url,
    application_name: 'ocr-router migration',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    options: '-c statement_timeout=0',
  };
  await onOwnClient(config, async (client) => {
    await openBuilds(client);
    await buildIndexes(client, log);
    for (const script of scripts) {
      await applyPatiently(client, script, options);
      await buildIndexes(client, log);
    }
    await closeBuilds(client);
  });
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
