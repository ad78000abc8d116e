import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { codeOf } from '../system/error-code.ts';
import { exists, runningProcess } from '../system/running-process.ts';
import { findPostmaster, isPostgres, isServerOf, readPidFile, waitUntil } from './postmaster.ts';

const SECOND = 1000;

/**
 * Clears what a killed server left in its folder, so that another one can start: sessions still at work, and a
 * postmaster.pid that PostgreSQL would believe because the id is taken, by a zombie or by another program.
 */
export async function clearStaleCluster(directory: string, log: Log): Promise<void> {
  const pid = Number(readPidFile(directory)[0] ?? 0);
  if (pid === 0 || findPostmaster(directory)) return;
  await endSessions(directory, log);
  if (isStale(pid)) {
    log.warn({ directory, pid }, 'stale postmaster.pid removed: no PostgreSQL server has that process id');
    rmSync(join(directory, 'postmaster.pid'), { force: true });
  }
}

// A PostgreSQL process that cannot be told to be of another folder may be a server that the operator started.
function isStale(pid: number): boolean {
  const found = runningProcess(pid);
  return exists(pid) && (!found || !isPostgres(found) || found.directory !== null);
}

// They end by themselves when they notice that the server is gone, which a long statement can put off.
async function endSessions(directory: string, log: Log): Promise<void> {
  const isGone = () => sessions(directory).length === 0;
  if (await waitUntil(isGone, 2 * SECOND)) return;
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const pids = sessions(directory);
    log.warn({ directory, pids, signal }, 'ending sessions of a PostgreSQL server that is gone');
    for (const pid of pids) end(pid, signal);
    if (await waitUntil(isGone, 5 * SECOND)) return;
  }
  throw new Error(`PostgreSQL processes ${sessions(directory).join(', ')} of ${directory} do not end.`);
}

/** Living PostgreSQL processes at work in the folder; none where there is no /proc: there PostgreSQL itself has to tell. */
export function sessions(directory: string): number[] {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const found = pid > 0 ? runningProcess(pid) : null;
      return found !== null && isServerOf(found, directory);
    });
}

function end(pid: number, signal: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
