import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from '../error.ts';
import type { Log } from '../log.ts';

/** The user that PostgreSQL runs as, because it refuses root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const CREATORS = ['/usr/sbin/useradd', '/sbin/useradd'];

/**
 * Null when this process is not root: PostgreSQL then runs as the same user. Otherwise the owner of the database
 * that is already there, `postgres`, a system user of the program's name, or `nobody`.
 */
export function systemUser(directory: string | null, name: string, log: Log): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const user = ownerOf(directory) ?? namedUser(['postgres', name]) ?? createUser(name, log) ?? namedUser(['nobody']);
  if (user) return user;
  throw new EmbeddedPostgresError(
    'no_system_user',
    `PostgreSQL refuses to run as root, and there is no user postgres, ${name} or nobody that it could run as`,
  );
}

/** The first of these names that the text of /etc/passwd has, other names of root left out. */
export function findUser(passwd: string, names: readonly string[]): SystemUser | null {
  const rows = passwd.split('\n').map((line) => line.split(':'));
  for (const name of names) {
    const row = rows.find(([first]) => first === name);
    const uid = Number(row?.[2]);
    const gid = Number(row?.[3]);
    if (uid > 0 && Number.isInteger(gid)) return { uid, gid };
  }
  return null;
}

function namedUser(names: readonly string[]): SystemUser | null {
  try {
    return findUser(readFileSync('/etc/passwd', 'utf8'), names);
  } catch {
    return null;
  }
}

function ownerOf(directory: string | null): SystemUser | null {
  if (!directory || !existsSync(join(directory, 'PG_VERSION'))) return null;
  const { uid, gid } = statSync(directory);
  return uid === 0 ? null : { uid, gid };
}

function createUser(name: string, log: Log): SystemUser | null {
  const useradd = CREATORS.find((path) => existsSync(path));
  if (!useradd) return null;
  const made = spawnSync(
    useradd,
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
    { encoding: 'utf8', timeout: 30_000 },
  );
  const user = namedUser([name]);
  if (user) log.info({ user: name, ...user }, 'system user made for the embedded PostgreSQL, which refuses root');
  else log.warn({ reason: made.stderr?.trim() ?? made.error?.message }, 'no system user could be made');
  return user;
}
