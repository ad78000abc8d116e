import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EmbeddedPostgresError } from '../error.ts';
import type { Log } from '../log.ts';
import type { Names } from '../names.ts';
import { findNative } from '../programs/native.ts';
import { usableNative } from '../programs/usable-native.ts';
import { freePort } from '../system/free-port.ts';
import { canEnter, sharedFolder } from '../system/reachable.ts';
import { type SystemUser, systemUser } from '../system/system-user.ts';
import { type Cluster, clusterDirectory } from './cluster.ts';
import { type ClusterRecord, makePassword, RECORD_FILE, readRecord, writeRecord } from './cluster-record.ts';
import { initialize } from './initialize.ts';

export interface ClusterOptions {
  /** As the file system names it: no links in it. */
  readonly dataDir: string;
  readonly names: Names;
  readonly appendOnly: readonly string[];
  readonly port: number | undefined;
  readonly durable: boolean;
  readonly log: Log;
}

/** Finds the data folder's database, or makes it. Only the owner of the data folder may call this. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, names, appendOnly, durable, log } = options;
  const before = readRecord(dataDir);
  const user = systemUser(before && clusterDirectory(dataDir, before), names.program, log);
  const native = await usableNative(findNative(), { program: names.program, user, dataDir, log });
  const known = before ?? (await newRecord(options, user));
  const record = { ...known, servicePassword: known.servicePassword ?? makePassword() };
  const directory = clusterDirectory(dataDir, record);
  const cluster = { dataDir, directory, names, appendOnly, record, native, user, durable, log };
  if (!isDatabase(cluster.directory)) {
    assertNotLost(cluster);
    if (!before) writeRecord(dataDir, record);
    await initialize(cluster);
  }
  assertUsable(cluster);
  if (!record.initialized || known.servicePassword === undefined)
    writeRecord(dataDir, { ...record, initialized: true });
  return cluster;
}

async function newRecord(options: ClusterOptions, user: SystemUser | null): Promise<ClusterRecord> {
  const { dataDir, names, port, log } = options;
  const directory = newDirectory(dataDir, names.program, user);
  if (isDatabase(directory)) {
    throw new Error(
      `${directory} holds a database, but ${join(dataDir, RECORD_FILE)} with its password is missing: ` +
        'restore that file, or move the folder away to begin with an empty database.',
    );
  }
  const inside = directory === join(dataDir, INSIDE);
  if (!inside)
    log.warn(
      { directory, dataDir, uid: user?.uid },
      'the data folder is closed to the PostgreSQL user: the database is kept elsewhere',
    );
  return {
    directory: inside ? relative(dataDir, directory) : directory,
    initialized: false,
    port: await freePort(port),
    password: makePassword(),
  };
}

const INSIDE = 'postgres';

// In the data folder, unless PostgreSQL's user cannot get there (a checkout in a home of mode 0700).
function newDirectory(dataDir: string, program: string, user: SystemUser | null): string {
  if (!user || canEnter(dataDir, user)) return join(dataDir, INSIDE);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(sharedFolder(program, user), name);
}

function isDatabase(directory: string): boolean {
  return existsSync(join(directory, 'PG_VERSION'));
}

function assertNotLost({ dataDir, directory, record }: Cluster): void {
  if (!record.initialized) return;
  throw new Error(
    `The database folder ${directory} is gone. Restore it, or remove ${join(dataDir, RECORD_FILE)} ` +
      'to begin with an empty database.',
  );
}

function assertUsable({ directory, native, user }: Cluster): void {
  const made = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  const major = native.version.split('.')[0];
  if (made !== major) {
    throw new EmbeddedPostgresError(
      'other_major_version',
      `The database in ${directory} was made by PostgreSQL ${made}, and this is PostgreSQL ${major}`,
    );
  }
  if (user && !canEnter(directory, user)) {
    throw new Error(
      `User ${user.uid}, to whom this database belongs, cannot enter ${directory}: ` +
        'open the folders above it to that user (mode 0711 will do).',
    );
  }
}
