import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Cluster } from '../../embedded-postgres/src/folder/cluster.ts';
import { openCluster } from '../../embedded-postgres/src/folder/open-cluster.ts';
import { ensureDatabase, isAnswering, urlOf } from '../../embedded-postgres/src/server/connection.ts';
import { launch } from '../../embedded-postgres/src/server/launch.ts';
import { endPostmaster, findPostmaster } from '../../embedded-postgres/src/server/postmaster.ts';
import { freePort } from '../../embedded-postgres/src/system/free-port.ts';
import { NAMES } from '../../server/src/database/embedded.ts';
import { makeLog } from '../../server/src/platform/logging/log.ts';

/** A start meets what a crash has left: sessions that are ending, a recovery. */
const START_LIMIT_MS = 90_000;
/** Its folder may be a small disk. */
const SMALL_WAL = { max_wal_size: '64MB', min_wal_size: '32MB' };

/**
 * A PostgreSQL that stands outside of the product, as a service of its own, on one port for ever. Nothing keeps it
 * running: it is away from `stop` or `kill` until `start`.
 */
export class OutsideDatabase implements AsyncDisposable {
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #port: number;
  readonly #killAtExit = () => this.kill();

  private constructor(cluster: Cluster, port: number) {
    this.#cluster = cluster;
    this.#port = port;
    this.url = urlOf({ ...cluster.record, names: NAMES, port });
    process.prependOnceListener('exit', this.#killAtExit); // before its disk goes
  }

  static async open(dataDir: string): Promise<OutsideDatabase> {
    await mkdir(dataDir, { recursive: true });
    const port = await freePort();
    const log = makeLog('silent');
    const cluster = await openCluster({ dataDir, names: NAMES, appendOnly: [], port, durable: true, log });
    const database = new OutsideDatabase(cluster, port);
    await database.start();
    await ensureDatabase(cluster, port);
    for (const [name, value] of Object.entries(SMALL_WAL)) await database.run(`alter system set ${name} = '${value}'`);
    await database.run('select pg_reload_conf()');
    return database;
  }

  /** Whether its process is there, whatever it answers. */
  get isRunning(): boolean {
    return findPostmaster(this.#cluster.directory) !== null;
  }

  get #maintenanceUrl(): string {
    return urlOf({ ...this.#cluster.record, names: NAMES, port: this.#port }, 'postgres');
  }

  /** Starts it where it does not run; resolves when it answers. */
  async start(): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    for (;;) {
      if (!this.isRunning) await launch(this.#cluster, { port: this.#port, onSpawn: () => undefined }).catch(noMatter);
      if (this.isRunning && (await isAnswering(this.#maintenanceUrl))) return;
      if (performance.now() > deadline) throw new Error('PostgreSQL did not start again');
      await sleep(100);
    }
  }

  /** As an operator stops it: sessions are ended, everything is on the disk. */
  async stop(): Promise<void> {
    const found = findPostmaster(this.#cluster.directory);
    if (found) await endPostmaster(found, this.#cluster.native);
  }

  /** As a power cut ends it. */
  kill(): void {
    const found = findPostmaster(this.#cluster.directory);
    if (found) process.kill(found.pid, 'SIGKILL');
  }

  /** As its owner; changes what a read-only database still lets be changed, too. */
  async run(sql: string): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 10_000, query_timeout: 30_000 });
    client.on('error', noMatter); // the call itself rejects
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#killAtExit);
    await this.stop();
  }
}

function noMatter(): void {}
