import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder for the data of the gateway in `folder`. */
export function dataIn(folder: string): string {
  return join(folder, 'data');
}

/**
 * Removes the folder and its database. The database stands elsewhere where PostgreSQL may not enter the folder: it refuses to run
 * as root, and a temporary folder is open to its user alone.
 */
export function removeFolder(folder: string): void {
  const database = databaseOf(dataIn(folder));
  for (const path of [database, folder]) if (path !== null) rmSync(path, { recursive: true, force: true });
}

/** The folder of the database; null before there is one. */
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
