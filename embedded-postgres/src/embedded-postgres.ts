import { mkdirSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './error.ts';
import { clusterDirectory } from './folder/cluster.ts';
import { readRecord } from './folder/cluster-record.ts';
import { openCluster } from './folder/open-cluster.ts';
import { claimOwnership, type Owner, type Ownership } from './folder/ownership.ts';
import type { Log } from './log.ts';
import type { Names } from './names.ts';
import { isAnswering, serviceUrlOf, urlOf } from './server/connection.ts';
import { findPostmaster } from './server/postmaster.ts';
import { Supervisor } from './server/supervisor.ts';

export interface PostgresOptions {
  /** The database lives in this folder, or is recorded there. Made where it is missing. */
  readonly dataDir: string;
  readonly names: Names;
  /** Tables that only grow: the service's role may add to them and no more. */
  readonly appendOnly?: readonly string[];
  /** Wanted, not insisted on. Without it the last start's port, at first a random one. */
  readonly port?: number;
  readonly log: Log;
  /** False trades the data's safety in a crash of the machine for speed: for tests. */
  readonly durable?: boolean;
  /** Called when its process was made, which needs nothing of this one for a while. */
  readonly onSpawn?: () => void;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** The database for its owner, who may do anything: for migrations. Stays the same over restarts. */
  readonly url: string;
  /** The same for the service, whose role reads and writes rows and nothing else. */
  readonly serviceUrl: string;
  /** The server's process, another one after a restart. */
  readonly pid: number;
  /** False when the server was running before: left by a killed process, or started by a living one. */
  readonly startedHere: boolean;
  /** Ends the server and returns when it is gone; does nothing where another process owns it. */
  stop(): Promise<void>;
}

const SECOND = 1000;
const COMMAND_PATIENCE_MS = 30 * SECOND;
const ATTACH_PATIENCE_MS = 60 * SECOND;
const POLL_MS = 50;

/** Starts the data folder's PostgreSQL and keeps it running. Throws when another process has the folder's database. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataDir(options.dataDir);
  const endMs = performance.now() + COMMAND_PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    const claim = claimOwnership(dataDir, 'server');
    if ('ownership' in claim) return own({ ...options, dataDir }, claim.ownership);
    // A command ends soon, and takes its server down with it.
    if (!isAnotherCommand(claim.heldBy) || performance.now() > endMs) throw inUse(dataDir, claim.heldBy);
    if (tries === 0) options.log.info({ pid: claim.heldBy.pid }, 'waiting for a command to end');
    await sleep(POLL_MS);
  }
}

/**
 * For a command beside the service: uses the server that a living process owns, otherwise starts one for the time of
 * the command, which has to `stop` it.
 */
export async function connectOrStartPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataDir(options.dataDir);
  const endMs = performance.now() + ATTACH_PATIENCE_MS;
  for (;;) {
    const claim = claimOwnership(dataDir, 'command');
    if ('ownership' in claim) return own({ ...options, dataDir }, claim.ownership);
    const attached = isAnotherCommand(claim.heldBy) ? null : await attach(dataDir, options.names);
    if (attached) return attached;
    if (performance.now() > endMs) throw inUse(dataDir, claim.heldBy);
    await sleep(POLL_MS);
  }
}

async function own(options: PostgresOptions, ownership: Ownership): Promise<EmbeddedPostgres> {
  const { dataDir, names, appendOnly = [], port, log, durable = true, onSpawn } = options;
  let supervisor: Supervisor | null = null;
  const end = async () => {
    await supervisor?.stop();
    ownership.release();
  };
  try {
    supervisor = new Supervisor(await openCluster({ dataDir, names, appendOnly, port, durable, log }));
    const how = await supervisor.start(port, onSpawn);
    return new OwnedPostgres(supervisor, how === 'launched', end);
  } catch (error) {
    await end();
    throw error;
  }
}

class OwnedPostgres implements EmbeddedPostgres {
  readonly #supervisor: Supervisor;
  readonly #end: () => Promise<void>;
  readonly startedHere: boolean;
  #stopped: Promise<void> | null = null;

  constructor(supervisor: Supervisor, startedHere: boolean, end: () => Promise<void>) {
    this.#supervisor = supervisor;
    this.startedHere = startedHere;
    this.#end = end;
  }

  get url(): string {
    return this.#supervisor.url;
  }

  get serviceUrl(): string {
    return this.#supervisor.serviceUrl;
  }

  get pid(): number {
    return this.#supervisor.pid;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Null while the owner's server is not ready yet. */
async function attach(dataDir: string, names: Names): Promise<EmbeddedPostgres | null> {
  const record = readRecord(dataDir);
  const server = record?.initialized ? findPostmaster(clusterDirectory(dataDir, record)) : null;
  if (!record || server?.status !== 'ready') return null;
  const access = { ...record, names, port: server.port };
  const url = urlOf(access);
  if (!(await isAnswering(url))) return null;
  const stop = async () => {};
  return {
    url,
    serviceUrl: serviceUrlOf(access),
    pid: server.pid,
    startedHere: false,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function openDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

function isAnotherCommand(owner: Owner): boolean {
  return owner.kind === 'command' && owner.pid !== process.pid;
}

function inUse(dataDir: string, owner: Owner): EmbeddedPostgresError {
  const who = owner.pid === process.pid ? 'this process' : `process ${owner.pid}`;
  return new EmbeddedPostgresError('in_use', `The database in ${dataDir} is in use by ${who}`);
}
