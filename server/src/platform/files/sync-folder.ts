import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Errors of file systems that can't sync a folder, and of folders that may be written but not read. */
const NOT_SUPPORTED = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

/** Makes the names in a folder durable: a file's own sync does not cover that it was made, renamed or linked. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    requireSupported(error);
  }
}

/** As `syncFolder`, before it returns. */
export function syncFolderNow(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    requireSupported(error);
  }
}

function requireSupported(error: unknown): void {
  if (!NOT_SUPPORTED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
