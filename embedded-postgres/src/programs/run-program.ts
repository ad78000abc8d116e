import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { EmbeddedPostgresError } from '../error.ts';
import { codeOf } from '../system/error-code.ts';
import type { SystemUser } from '../system/system-user.ts';
import { type Native, program } from './native.ts';

export interface Run {
  readonly native: Native;
  readonly user: SystemUser | null;
  readonly name: 'initdb' | 'postgres';
  readonly args: readonly string[];
}

/** Nothing of our environment goes in: PGDATA, PGPORT, a locale or LD_PRELOAD would change what PostgreSQL does. */
const ENVIRONMENT = { LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };

/** Starts a PostgreSQL program as its user. */
export function spawnProgram({ native, user, name, args }: Run, options: SpawnOptions): ChildProcess {
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  return spawn(program(native, name), args, { ...options, ...identity, env: ENVIRONMENT, windowsHide: true });
}

/** Runs a PostgreSQL program to its end. */
export function runProgram(run: Run): Promise<{ code: number | null; output: string }> {
  const child = spawnProgram(run, { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', () => {});
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (error) => reject(asNotRunnable(run, error)));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Why a program could not even be started. */
export function asNotRunnable({ native, name }: Run, cause: Error): Error {
  const path = program(native, name);
  // The system says "not found" also when it is the loader of the program that is not there.
  const reason =
    codeOf(cause) === 'ENOENT' && existsSync(path) ? 'it needs a system with glibc (musl has none)' : cause.message;
  return new EmbeddedPostgresError('not_runnable', `${path} cannot be run: ${reason}`, { cause });
}
