import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Log } from '../log.ts';
import { canEnter, canUse, sharedFolder } from '../system/reachable.ts';
import type { SystemUser } from '../system/system-user.ts';
import { completeLinks, type Native } from './native.ts';

export interface NativeNeeds {
  /** The program that the copy for another user is made for. */
  readonly program: string;
  /** The user that runs the programs; null for the user of this process. */
  readonly user: SystemUser | null;
  /** Where a copy for the user of this process goes. */
  readonly dataDir: string;
  /** Where a copy for another user goes; a place that this user can enter. */
  readonly shared?: string;
  readonly log: Log;
}

/** The programs where they are, or a copy of them (60 MB, made once a version) where they cannot be run from there. */
export async function usableNative(native: Native, needs: NativeNeeds): Promise<Native> {
  const { program, user, dataDir, log } = needs;
  if (completeLinks(native.folder) && (!user || isUsable(native.folder, user))) return native;
  const home = user ? (needs.shared ?? sharedFolder(program, user)) : dataDir;
  const version = join(home, `postgres-${native.version}`);
  const folder = join(version, 'native');
  if (!existsSync(folder)) {
    log.info({ from: native.folder, to: folder }, 'copying the PostgreSQL programs to where they can be run');
    await copyInto(version, native.folder);
  }
  return { ...native, folder };
}

function isUsable(folder: string, user: SystemUser): boolean {
  const folders = ['bin', 'lib', 'share'].map((name) => join(folder, name));
  return folders.every((path) => canEnter(path, user)) && canUse(join(folder, 'bin', 'postgres'), user);
}

/** Under another name first, so that a copy is either whole or not there, also with two processes at it. */
async function copyInto(version: string, from: string): Promise<void> {
  const draft = `${version}.${randomUUID()}`;
  await mkdir(draft, { recursive: true });
  await cp(from, join(draft, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  await openUp(draft);
  completeLinks(join(draft, 'native'));
  try {
    await rename(draft, version);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(version)) throw error;
  }
}

function isNeeded(path: string): boolean {
  return extname(path) !== '.a';
}

// The installation may be closed to other users by its umask.
async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openUp(path);
    else if (entry.isFile()) await chmod(path, folder.endsWith('bin') || entry.name.includes('.so') ? 0o755 : 0o644);
  }
}
