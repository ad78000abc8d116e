import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from '../error.ts';
import { codeOf } from '../system/error-code.ts';

const ClusterRecord = z.object({
  /** The folder of the database, as seen from the data folder. */
  directory: z.string().min(1),
  /** Whether the database was made: if it is missing then, it was lost. */
  initialized: z.boolean(),
  port: z.number().int().positive(),
  /** Of the owner, who may do anything: for setting up and migrating. */
  password: z.string().min(1),
  /** Of the service's own role; a folder of an older version has none yet. */
  servicePassword: z.string().min(1).optional(),
});

/** What the next start, and every command beside it, must know of the database. */
export type ClusterRecord = Readonly<z.infer<typeof ClusterRecord>>;

export const RECORD_FILE = 'embedded-postgres.json';

/** Null when the data folder has no database yet. */
export function readRecord(dataDir: string): ClusterRecord | null {
  const path = join(dataDir, RECORD_FILE);
  try {
    return ClusterRecord.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'EACCES') {
      throw new EmbeddedPostgresError('record_unreadable', `${path} belongs to another user`, { cause: error });
    }
    throw new Error(`${path} is damaged: restore it from a backup.`, { cause: error });
  }
}

/** Readable by its owner only, and either the old or the new one whatever happens. */
export function writeRecord(dataDir: string, record: ClusterRecord): void {
  const path = join(dataDir, RECORD_FILE);
  const draft = `${path}.draft`;
  writeFileSync(draft, JSON.stringify(record, null, 2), { mode: 0o600, flush: true });
  renameSync(draft, path);
}

/** The port changes when another program took the former one. */
export function rememberPort(dataDir: string, port: number): void {
  const record = readRecord(dataDir);
  if (record && record.port !== port) writeRecord(dataDir, { ...record, port });
}

export function makePassword(): string {
  return randomBytes(24).toString('hex');
}
