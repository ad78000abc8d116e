import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A cluster takes some 40 MB, its log 64 more. */
const SIZE_MB = 400;
const FILLER = 'filler';
const BLOCK = Buffer.alloc(1 << 20);

/** A file system in memory that is small enough to be filled up. Only root may mount one. */
export class SmallDisk implements AsyncDisposable {
  readonly folder: string;
  readonly #unmountAtExit = () => this.#unmount();

  private constructor(folder: string) {
    this.folder = folder;
    process.once('exit', this.#unmountAtExit);
  }

  /** Null where none can be mounted: for ordinary users, and in most containers. */
  static async mount(folder: string): Promise<SmallDisk | null> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
    await mkdir(folder, { recursive: true });
    const options = ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder];
    return spawnSync('mount', options).status === 0 ? new SmallDisk(folder) : null;
  }

  /** Leaves no byte free. */
  fill(): void {
    const file = openSync(join(this.folder, FILLER), 'a');
    try {
      for (let size = BLOCK.length; size >= 1; ) {
        try {
          writeSync(file, BLOCK, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.folder, FILLER), { force: true });
  }

  #unmount(): void {
    spawnSync('umount', ['--lazy', this.folder]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#unmountAtExit);
    this.#unmount();
  }
}
