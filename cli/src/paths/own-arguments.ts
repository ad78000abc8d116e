import { readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathOf } from './path-bytes.ts';

/** What Node puts in place of bytes that are no UTF-8. */
const LOST = '\ufffd';

/** The command line of this process, with paths as `pathOf` has them. Only Linux tells the bytes that Node has lost. */
export function exactArguments(argv: readonly string[]): readonly string[] {
  if (!argv.some((argument) => argument.includes(LOST))) return argv;
  const told = bytesOr('', () => readFileSync('/proc/self/cmdline'));
  const exact = told.split('\0').slice(0, -1); // each one ends with the zero
  return exact.length < argv.length ? argv : [...argv.slice(0, 2), ...exact.slice(exact.length - argv.length + 2)];
}

/** A whole path, from the working directory on. */
export function wholePath(path: string): string {
  const folder = process.cwd();
  const exact = folder.includes(LOST) ? bytesOr(folder, () => readlinkSync('/proc/self/cwd', 'buffer')) : folder;
  return resolve(exact, path);
}

function bytesOr(otherwise: string, read: () => Buffer): string {
  try {
    return pathOf(read());
  } catch {
    return otherwise; // no Linux
  }
}
