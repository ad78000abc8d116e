import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the gateway in the folder keeps what it holds. */
export function dataIn(folder: string): string {
  return join(folder, 'data');
}

/**
 * Removes the folder and its database, which stands elsewhere where PostgreSQL may not enter the folder: it refuses to run as root,
 * and a temporary folder is open to its user alone.
 */
export function removeFolder(folder: string): void {
  const database = databaseOf(dataIn(folder));
  for (const path of [database, folder]) if (path !== null) rmSync(path, { recursive: true, force: true });
}

/** Null before there is one. */
function databaseOf(data: string): string | null {
  try {
    const { directory } = JSON.parse(readFileSync(join(data, 'embedded-postgres.json'), 'utf8')) as {
      directory: string;
    };
    return resolve(data, directory);
  } catch {
    return null;
  }
}
