import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those that it stands in, where they are missing. Throws the file system's error. Node's own way (`recursive`)
 * does not end where a folder refuses others as if it were missing itself, as `/proc` does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const make = () => mkdir(path, mode).catch(async (error) => requireFolder(await isFolder(path), error));
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  });
}

/** As `makeFolder`, before it returns. */
export function makeFolderNow(path: string, mode?: number): void {
  const make = () => {
    try {
      mkdirSync(path, mode);
    } catch (error) {
      requireFolder(isFolderNow(path), error);
    }
  };
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolderNow(dirname(path))) throw error;
    makeFolderNow(dirname(path), mode);
    make();
  }
}

/** A folder may have been there, or another process may have been first. */
function requireFolder(isThere: boolean, error: unknown): void {
  if (!isThere) throw error;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function isFolderNow(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
