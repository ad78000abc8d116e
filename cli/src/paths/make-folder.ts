import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { onDisk } from './path-bytes.ts';

/**
 * Makes a folder and those that it stands in, where they are missing. Throws the file system's error. Node's own way (`recursive`)
 * does not end where a folder refuses others as if it were missing itself, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(onDisk(path)).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error; // it may be there, or another process may have been first
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(onDisk(path)).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
