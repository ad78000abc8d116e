import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Log } from '../../log.ts';
import { type ClusterRecord, makePassword, RECORD_FILE, readRecord, writeRecord } from './cluster-record.ts';
import { freePort } from './free-port.ts';
import { initialize } from './initialize.ts';
import { findNative, type Native } from './native.ts';
import { canEnter, sharedFolder } from './reachable.ts';
import { type SystemUser, systemUser } from './system-user.ts';
import { usableNative } from './usable-native.ts';

/** A database folder that is there, and all that starting its server takes. */
export interface Cluster {
  readonly dataDir: string;
  readonly directory: string;
  readonly record: ClusterRecord & { readonly servicePassword: string };
  readonly native: Native;
  readonly user: SystemUser | null;
  readonly durable: boolean;
  readonly log: Log;
}

export interface ClusterOptions {
  /** As the file system names it: no links in it. */
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly durable: boolean;
  readonly log: Log;
}

/** Finds the data folder's database, or makes it. Only the owner of the data folder may call this. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, durable, log } = options;
  const before = readRecord(dataDir);
  const user = systemUser(before && clusterDirectory(dataDir, before), log);
  const native = await usableNative(findNative(), { user, dataDir, log });
  const known = before ?? (await newRecord(options, user));
  const record = { ...known, servicePassword: known.servicePassword ?? makePassword() };
  const cluster = { dataDir, directory: clusterDirectory(dataDir, record), record, native, user, durable, log };
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

export function clusterDirectory(dataDir: string, record: ClusterRecord): string {
  return resolve(dataDir, record.directory);
}

async function newRecord({ dataDir, port, log }: ClusterOptions, user: SystemUser | null): Promise<ClusterRecord> {
  const directory = newDirectory(dataDir, user);
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
function newDirectory(dataDir: string, user: SystemUser | null): string {
  if (!user || canEnter(dataDir, user)) return join(dataDir, INSIDE);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(sharedFolder(user), name);
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
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${made}, and this is PostgreSQL ${major}: ` +
        'with the version that you had before, run `npm run admin -- backup`, then with this one ' +
        '`npm run admin -- restore FILE --resume` into an empty DATA_DIR (docs/upgrading.md).',
    );
  }
  if (user && !canEnter(directory, user)) {
    throw new Error(
      `User ${user.uid}, to whom this database belongs, cannot enter ${directory}: ` +
        'open the folders above it to that user (mode 0711 will do).',
    );
  }
}
