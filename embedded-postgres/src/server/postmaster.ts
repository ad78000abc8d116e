import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { directoryTag } from '../folder/server-settings.ts';
import { type Native, program } from '../programs/native.ts';
import { codeOf } from '../system/error-code.ts';
import { type RunningProcess, runningProcess } from '../system/running-process.ts';

/** A running PostgreSQL server. */
export interface Postmaster {
  readonly pid: number;
  /** Tells it from a later process with the same id. */
  readonly startedAt: string;
}

export interface FoundPostmaster extends Postmaster {
  readonly port: number;
  /** `starting`, `ready`, `stopping`, or empty in its first moments. */
  readonly status: string;
}

const SECOND = 1000;

/** The living server of a database folder. Null when there is none, whatever its postmaster.pid says. */
export function findPostmaster(directory: string): FoundPostmaster | null {
  const lines = readPidFile(directory);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const found = runningProcess(pid);
  if (!found || !isServerOf(found, directory)) return null;
  return { pid, startedAt: found.startedAt, port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/** Whether the process is PostgreSQL at work in the folder, as far as the system tells. */
export function isServerOf(found: RunningProcess, directory: string): boolean {
  if (!isPostgres(found)) return false;
  const real = realpathSync(directory);
  if (found.directory !== null) return found.directory === real;
  return found.title === '' || found.title.includes(`-D ${real} `) || found.title.includes(` ${directoryTag(real)} `);
}

export function isPostgres({ command }: RunningProcess): boolean {
  return command === '' || /^postgres(\.exe)?$/.test(command);
}

/** The lines of postmaster.pid: id, folder, start, port, socket folder, address, shared memory, status. */
export function readPidFile(directory: string): string[] {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

export function isRunning({ pid, startedAt }: Postmaster): boolean {
  return runningProcess(pid)?.startedAt === startedAt;
}

/** Ends the server: it closes its sessions and writes everything down; by force where that takes too long. */
export async function endPostmaster(postmaster: Postmaster, native: Native): Promise<void> {
  const steps = [
    ['INT', 30 * SECOND],
    ['QUIT', 5 * SECOND],
    ['KILL', 5 * SECOND],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    if (!isRunning(postmaster)) return;
    signalPostmaster(postmaster.pid, signal, native);
    await waitUntil(() => !isRunning(postmaster), patienceMs);
  }
  if (isRunning(postmaster)) throw new Error(`PostgreSQL process ${postmaster.pid} does not end.`);
}

/** Synchronous, for the last moment of this process. `INT` is PostgreSQL's fast shutdown, `QUIT` the immediate one. */
export function signalPostmaster(pid: number, signal: 'INT' | 'QUIT' | 'KILL', native: Native): void {
  // Windows has no signals: PostgreSQL's own tool delivers them there.
  if (process.platform === 'win32') {
    spawnSync(program(native, 'pg_ctl'), ['kill', signal, String(pid)], { windowsHide: true });
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Whether the condition came true within the time. */
export async function waitUntil(condition: () => boolean, patienceMs: number): Promise<boolean> {
  const endMs = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > endMs) return false;
    await sleep(10);
  }
  return true;
}
