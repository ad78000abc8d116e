import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../folder/cluster.ts';
import { rememberPort } from '../folder/cluster-record.ts';
import { type Access, ensureDatabase, serviceUrlOf, urlOf } from './connection.ts';
import { adoptable, firstLaunch } from './first-launch.ts';
import { launch, type Server } from './launch.ts';
import { endPostmaster, isRunning, signalPostmaster } from './postmaster.ts';
import { cutServerLog, serverLog } from './server-log.ts';
import { clearStaleCluster } from './stale-cluster.ts';

const SECOND = 1000;
/** A server that ran this long did start well. */
const STABLE_MS = 60 * SECOND;

/** Keeps one server running for a database folder, from `start` to `stop`. */
export class Supervisor {
  readonly #cluster: Cluster;
  readonly #stop = new AbortController();
  readonly #atExit = () => this.#signalAtExit();
  #port = 0;
  #server: Server | null = null;
  #watching: Promise<void> = Promise.resolve();
  #upkeep: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get url(): string {
    return urlOf(this.#access);
  }

  get serviceUrl(): string {
    return serviceUrlOf(this.#access);
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Takes over the server that a killed owner left running, otherwise starts one; `stop` is due also when this throws. */
  async start(preferredPort: number | undefined, onSpawn?: () => void): Promise<'adopted' | 'launched'> {
    const { dataDir, record } = this.#cluster;
    process.on('exit', this.#atExit);
    const adopted = await adoptable(this.#cluster);
    if (adopted) this.#server = { ...adopted, child: null };
    this.#port = adopted?.port ?? (await this.#launchFirst(preferredPort ?? record.port, onSpawn));
    rememberPort(dataDir, this.#port);
    await ensureDatabase(this.#cluster, this.#port);
    this.#upkeep = setInterval(() => cutServerLog(serverLog(dataDir)), 60 * SECOND).unref();
    this.#watching = this.#keepRunning();
    return adopted ? 'adopted' : 'launched';
  }

  /** Returns when no process of the server is left. */
  async stop(): Promise<void> {
    const { directory, log } = this.#cluster;
    this.#stop.abort();
    clearInterval(this.#upkeep);
    await this.#end();
    // A restart that was under way has now either failed or brought up one more server.
    await this.#watching;
    await this.#end();
    await clearStaleCluster(directory, log);
    process.off('exit', this.#atExit);
  }

  get #access(): Access {
    const { names, record } = this.#cluster;
    return { ...record, names, port: this.#port };
  }

  #launchFirst(preferredPort: number, onSpawn?: () => void): Promise<number> {
    const hold = (server: Server) => {
      this.#hold(server);
      onSpawn?.();
    };
    return firstLaunch(this.#cluster, { preferredPort, onSpawn: hold });
  }

  #hold(server: Server): void {
    this.#server = server;
  }

  async #keepRunning(): Promise<void> {
    const { log } = this.#cluster;
    let failures = 0;
    while (this.#server && !this.#stop.signal.aborted) {
      const sinceMs = performance.now();
      const how = await ended(this.#server, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      failures = performance.now() - sinceMs > STABLE_MS ? 0 : failures;
      log.error({ pid: this.#server.pid, how, failures }, 'postgres died; starting it again');
      failures = await this.#restart(failures);
    }
  }

  /** Tries until it runs, on the port that the clients know; returns how many tries did not last. */
  async #restart(failures: number): Promise<number> {
    const { log } = this.#cluster;
    const { signal } = this.#stop;
    for (let failed = failures; ; failed += 1) {
      await sleep(backOffMs(failed), undefined, { signal }).catch(() => {});
      if (signal.aborted) return failed;
      try {
        await launch(this.#cluster, { port: this.#port, onSpawn: (server) => this.#hold(server) });
        log.info({ pid: this.pid, port: this.#port }, 'postgres runs again');
        return failed + 1;
      } catch (error) {
        if (!signal.aborted) log.error({ err: error, failures: failed + 1 }, 'postgres did not start again');
      }
    }
  }

  async #end(): Promise<void> {
    if (!this.#server) return;
    this.#server.child?.ref();
    await endPostmaster(this.#server, this.#cluster.native);
  }

  // The process ends without `stop`, by an error that was not caught: nothing but a signal can be done any more.
  #signalAtExit(): void {
    if (this.#server && isRunning(this.#server)) signalPostmaster(this.#server.pid, 'INT', this.#cluster.native);
  }
}

function backOffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(100 * 2 ** (failures - 1), 10 * SECOND);
}

/** Waits for the server's end and gives its exit code or signal where they are known. */
async function ended({ child, ...postmaster }: Server, signal: AbortSignal): Promise<string> {
  if (!child) {
    while (isRunning(postmaster) && !signal.aborted) {
      await sleep(SECOND / 4, undefined, { ref: false, signal }).catch(() => {});
    }
    return 'not known';
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? `code ${child.exitCode}`;
}
