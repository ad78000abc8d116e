import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const TEMPLATE = 'house_template';
/** The processes of all files that run at a time, twenty connections each (docs/scale.md). */
const MOST_CONNECTIONS = 500;

export interface Cluster {
  /** The URL of a new, migrated, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** A throw-away PostgreSQL with a template that was migrated once. */
export async function startCluster(): Promise<Cluster> {
  // Imported late: a run of unit tests never asks for a database and need not load the server's.
  const { startEmbedded } = await import('../../server/src/database/embedded.ts');
  const { migrate } = await import('../../server/src/database/orm.ts');
  const { makeLog } = await import('../../server/src/platform/logging/log.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'ocr-router-test-'));
  await chmod(dataDir, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  const options = { dataDir, log: makeLog('warn'), durable: false };
  {
    await using first = await startEmbedded(options);
    await run(first.url, `alter system set max_connections = ${MOST_CONNECTIONS}`); // is read at a start
  }
  const embedded = await startEmbedded(options);
  await run(embedded.url, `create database ${TEMPLATE}`);
  await migrate(withDatabase(embedded.url, TEMPLATE));
  return {
    createDatabase: async () => {
      const name = `house_${randomBytes(8).toString('hex')}`;
      // A copy of its files costs a quarter of writing it to the log page by page.
      await run(embedded.url, `create database ${name} template ${TEMPLATE} strategy file_copy`);
      return withDatabase(embedded.url, name);
    },
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A database for this test file. Only inside a vitest run, whose global setup owns the cluster. */
export async function createDatabase(): Promise<string> {
  const { inject } = await import('vitest'); // cannot be loaded outside a run, and a benchmark loads this file
  const response = await fetch(inject('clusterDesk'), { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(`no database for this test file: ${text}`);
  return text;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
