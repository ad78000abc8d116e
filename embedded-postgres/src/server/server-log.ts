import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LARGEST_BYTES = 5 * 1024 * 1024;

/** PostgreSQL's own log, `postgres.log` in the data folder, with the part before the last cut beside it. */
export function serverLog(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

/** Opens the log for the server to write to; the caller closes it. Appending, so that it can be cut meanwhile. */
export function openServerLog(path: string): { fd: number; offset: number } {
  cutServerLog(path);
  const fd = openSync(path, 'a', 0o600);
  return { fd, offset: sizeOf(path) };
}

/** Begins the log anew when it is too large, and keeps the old part as `.1`. */
export function cutServerLog(path: string): void {
  if (sizeOf(path) <= LARGEST_BYTES) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/** What the server wrote since the offset, 64 KiB of it at most. */
export function readServerLog(path: string, offset: number): string {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, offset));
  } finally {
    closeSync(fd);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
