import { constants } from 'node:fs';
import { type FileHandle, open as openAt, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onDisk, pathOf } from '../paths/path-bytes.ts';

/** The most that a body of the gateway holds of a document, in bytes. */
const MOST_BYTES = 7_800_000;
/** A pipe that has taken the place of the file is not waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // Windows has no such flag

/**
 * The bytes of a file below the folder that an agent may read from, with links followed. Throws for any other, also for one that
 * took the file's place, or its folder's, while it was opened: an agent may have other tools, which change files. `open` is for
 * tests of that.
 */
export async function allowedFile(root: string, path: string, open = openAt): Promise<Uint8Array> {
  const base = await wholePathOf(root);
  await using file = await open(onDisk(await allowedPath(base, path)), FLAGS);
  if (!(await isBelow(base, path, file))) throw new Error(`${path} was changed while it was opened.`);
  const bytes = await buffer(file.createReadStream({ end: MOST_BYTES, autoClose: false })); // it may grow while it is read
  if (bytes.length <= MOST_BYTES) return bytes;
  const { size } = await file.stat();
  throw new Error(`${path} has ${size} bytes; a body holds ${MOST_BYTES}. Send the address of the document instead.`);
}

/** The path of such a file. */
async function allowedPath(base: string, path: string): Promise<string> {
  const file = await wholePathOf(resolve(base, path)).catch(() => null);
  if (file === null) throw new Error(`There is no file ${path} below the folder of documents.`);
  if (!isInside(base, file)) throw new Error(`${path} is outside of the folder of documents.`);
  if (!(await stat(onDisk(file))).isFile()) throw new Error(`${path} is no file.`); // a pipe would be waited for without an end
  return file;
}

/** Whether what was opened is below the folder. Linux tells where it is; elsewhere it has to be the file that is there now. */
async function isBelow(base: string, path: string, file: FileHandle): Promise<boolean> {
  const opened = await file.stat({ bigint: true });
  const place = await readlink(`/proc/self/fd/${file.fd}`, 'buffer').catch(() => null);
  if (place !== null) return opened.isFile() && isInside(base, pathOf(place));
  const below = await stat(onDisk(await allowedPath(base, path)), { bigint: true });
  return opened.dev === below.dev && opened.ino === below.ino;
}

/** A path with links followed. */
async function wholePathOf(path: string): Promise<string> {
  return pathOf(await realpath(onDisk(path), 'buffer'));
}

function isInside(base: string, file: string): boolean {
  const inside = relative(base, file);
  return !['', '..'].includes(inside) && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
