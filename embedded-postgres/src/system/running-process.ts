import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from './error-code.ts';

export interface RunningProcess {
  /** Differs between two processes that had the same id one after the other; empty where the system does not tell. */
  readonly startedAt: string;
  /** The program's short name; empty where the system does not tell. */
  readonly command: string;
  /** Its command line, or what it shows instead; empty where the system does not tell. */
  readonly title: string;
  /** The folder it works in; null where the system does not tell, as of other users' processes in many containers. */
  readonly directory: string | null;
}

/** The living process with this id. Null when there is none, or only one that is dead but not yet reaped, or about to be. */
export function runningProcess(pid: number): RunningProcess | null {
  if (existsSync('/proc/self/stat')) return fromProc(pid);
  if (process.platform !== 'win32') return fromPs(pid);
  return exists(pid) ? { startedAt: '', command: '', title: '', directory: null } : null;
}

/** Whether the process id is taken, be it by a zombie. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function fromProc(pid: number): RunningProcess | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name stands in parentheses and may hold any character: what follows the last one has fixed places.
  const end = stat.lastIndexOf(')');
  const [state, ...rest] = stat.slice(end + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const directory = workingDirectory(pid);
  if (directory === undefined) return null;
  const ticks = rest[18] ?? '';
  return {
    startedAt: `${bootId()} ${ticks}`,
    command: stat.slice(stat.indexOf('(') + 1, end),
    title: read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '',
    directory,
  };
}

/** For systems without /proc (macOS). */
export function fromPs(pid: number): RunningProcess | null {
  const ps = spawnSync('/bin/ps', ['-ww', '-o', 'lstart=,stat=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    timeout: 5000,
  });
  const [, startedAt, state, title] =
    /^(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(\S+)\s+(.*)$/.exec(ps.stdout?.trim() ?? '') ?? [];
  if (!startedAt || !title || state?.startsWith('Z')) return null;
  // PostgreSQL's processes show `postgres: …`, the others the path of their program first.
  const command = basename(title.split(' ')[0] ?? '').replace(/:$/, '');
  return { startedAt, command, title: `${title} `, directory: null };
}

// Ticks count from the start of the machine, so they say nothing across a reboot.
function bootId(): string {
  return read('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

/** Null where it is hidden; undefined of a process on its way out, which has given back its memory and its files before. */
function workingDirectory(pid: number): string | null | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
