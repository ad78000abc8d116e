import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../folder/cluster.ts';
import { asArguments, serverSettings } from '../folder/server-settings.ts';
import { asNotRunnable, spawnProgram } from '../programs/run-program.ts';
import { runningProcess } from '../system/running-process.ts';
import { findPostmaster, type Postmaster } from './postmaster.ts';
import { openServerLog, readServerLog, serverLog } from './server-log.ts';
import { clearStaleCluster } from './stale-cluster.ts';

/** Why a server did not start: `port` is taken, the folder is still `busy` with a former server, or something `other`. */
export class LaunchError extends Error {
  readonly reason: 'port' | 'busy' | 'other';

  constructor(reason: LaunchError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A server that this process looks after: its child, or one adopted from a process that was killed. */
export interface Server extends Postmaster {
  readonly child: ChildProcess | null;
}

export interface Launch {
  readonly port: number;
  /** Gets the server before it is ready, so that whatever comes next it can be ended. */
  readonly onSpawn: (server: Server) => void;
}

const POLL_MS = 10;
const SECOND = 1000;
/** Recovery after a crash may take minutes. */
const READY_LIMIT_MS = 600 * SECOND;

/** Starts the folder's server and waits until it takes connections. */
export async function launch(cluster: Cluster, { port, onSpawn }: Launch): Promise<void> {
  await clearStaleCluster(cluster.directory, cluster.log);
  const log = openServerLog(serverLog(cluster.dataDir));
  const run = {
    native: cluster.native,
    user: cluster.user,
    name: 'postgres' as const,
    args: ['-D', cluster.directory, '-p', String(port), ...asArguments(settingsOf(cluster))],
  };
  // Detached: Ctrl-C in a terminal reaches the whole group, and the database has to outlive the requests under way.
  const child = spawnProgram(run, { stdio: ['ignore', log.fd, log.fd], cwd: '/', detached: true });
  closeSync(log.fd);
  const end = endOf(child);
  child.unref();
  if (child.pid !== undefined)
    onSpawn({ pid: child.pid, startedAt: runningProcess(child.pid)?.startedAt ?? '', child });
  const ended = await (child.pid === undefined ? end : Promise.race([end, isReady(cluster, child)]));
  if (ended === 'ready') return;
  if (ended instanceof Error) throw asNotRunnable(run, ended);
  throw asLaunchError(readServerLog(serverLog(cluster.dataDir), log.offset));
}

export function settingsOf({ directory, names, durable, native }: Cluster): Record<string, string> {
  return serverSettings({ directory, label: names.program, durable, version: native.version });
}

function endOf(child: ChildProcess): Promise<Error | 'ended'> {
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', () => resolve('ended'));
  });
}

async function isReady({ directory, log }: Cluster, child: ChildProcess): Promise<'ready' | 'ended'> {
  const startMs = performance.now();
  let reportMs = startMs + 15 * SECOND;
  while (child.exitCode === null && child.signalCode === null) {
    const found = findPostmaster(directory);
    if (found?.pid === child.pid && found?.status === 'ready') return 'ready';
    const nowMs = performance.now();
    if (nowMs > startMs + READY_LIMIT_MS) child.kill('SIGQUIT');
    if (nowMs > reportMs) {
      log.info({ pid: child.pid, seconds: Math.round((nowMs - startMs) / SECOND) }, 'postgres is still recovering');
      reportMs += 15 * SECOND;
    }
    await sleep(POLL_MS);
  }
  return 'ended';
}

function asLaunchError(output: string): LaunchError {
  const lines = output.split('\n').filter((line) => /\b(FATAL|PANIC|ERROR|LOG|could not)\b/.test(line));
  const said = lines.slice(-3).join('; ') || output.trim().slice(-500) || 'it said nothing';
  return new LaunchError(reasonOf(output), `PostgreSQL did not start: ${said}`);
}

function reasonOf(output: string): LaunchError['reason'] {
  if (/could not bind|could not create any TCP/.test(output)) return 'port';
  if (/pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(output)) return 'busy';
  return 'other';
}
