import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from '../error.ts';
import type { SystemUser } from './system-user.ts';

const ENTER = 0o1;
const READ = 0o4;

/** Whether the user may enter the folder, which includes each folder above it. */
export function canEnter(folder: string, user: SystemUser): boolean {
  const real = realpathSync(folder);
  return permits(statSync(real), user, ENTER) && (dirname(real) === real || canEnter(dirname(real), user));
}

/** Whether the user may enter the folder and read it or, for a file, read and execute it. */
export function canUse(path: string, user: SystemUser): boolean {
  const real = realpathSync(path);
  return permits(statSync(real), user, READ | ENTER) && canEnter(dirname(real), user);
}

const BASES = ['/var/lib', '/var/tmp', tmpdir()];

/** The program's folder outside of every home, which the user can enter and only root can write to. */
export function sharedFolder(name: string, user: SystemUser, bases: readonly string[] = BASES): string {
  for (const base of bases) {
    const folder = join(base, name);
    if (isOurs(folder) && canEnter(folder, user)) return folder;
  }
  throw new EmbeddedPostgresError(
    'no_shared_folder',
    `PostgreSQL cannot run as root, and user ${user.uid} can enter none of ${bases.join(', ')}`,
  );
}

function permits(stats: Stats, user: SystemUser, bits: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}

// Anyone may have made a folder of this name in a folder for temporary files, to read the database later.
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder);
    // Not by mkdir's mode, which the umask narrows.
    chmodSync(folder, 0o755);
  } catch {
    // It is there, or the base cannot be written to; the next lines tell.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}
