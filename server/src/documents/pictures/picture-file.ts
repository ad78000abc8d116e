import { readSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import type { PagePicture, PreprocessingStep } from '../formats/document.ts';

/** Beginning of the folder's name, before the process's number: what a killed process has left is known by it. */
const FOLDER_PREFIX = 'ocr-router-pictures-';
let lastFile = 0;

/** Writes a picture to a file for a program on this machine. */
export interface PictureWriter {
  write(
    image: Sharp,
    options: { dpi: number | null; warningsOf(size: { width: number; height: number }): string[] },
  ): Promise<PagePicture>;
}

/**
 * Keeps pictures as open files that have lost their names, for programs on this machine. Such a picture never passes through this
 * process's heap, whose garbage collector a megabyte of buffer costs dearly, and no crash leaves it behind.
 */
export class PictureFiles implements PictureWriter, AsyncDisposable {
  #folder: Promise<string> | undefined;

  async write(
    image: Sharp,
    { dpi, warningsOf }: { dpi: number | null; warningsOf(size: { width: number; height: number }): string[] },
  ): Promise<PagePicture> {
    const path = await this.reserve();
    try {
      const { width, height, size } = await image.toFile(path);
      return await this.take(path, { size, width, height, dpi, warnings: warningsOf({ width, height }) });
    } catch (error) {
      await this.discard(path); // half a picture on a full disk would keep it full
      throw error;
    }
  }

  /** A path that a picture may be written to. */
  async reserve(): Promise<string> {
    // Only this user may enter: sharp makes files that anyone may read.
    this.#folder ??= mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`)).catch((error: unknown) => {
      this.#folder = undefined; // a full disk may have room the next time
      throw error;
    });
    // Made again: a process in another container may share the temporary folder, and take ours for one that was left behind.
    await mkdir(await this.#folder, { recursive: true, mode: 0o700 });
    return join(await this.#folder, `${++lastFile}.png`);
  }

  /** Opens the picture at a path, and removes its name. */
  async take(path: string, facts: FileFacts): Promise<PagePicture> {
    const file = await open(path, 'r');
    await unlink(path);
    return new PictureFile(file, facts);
  }

  /** Gives back a path to which nothing, or half of a picture, was written. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes the folders of processes that have ended: a killed one cannot tidy up. */
  async sweep(): Promise<void> {
    const names = await readdir(tmpdir()).catch(() => []);
    for (const name of names) {
      const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
      if (owner === undefined || isAlive(Number(owner))) continue;
      await removeOwn(join(tmpdir(), name)).catch(() => undefined); // another user's, or already gone
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }
}

/** Removes a folder that belongs to the user of this process; leaves anything else. */
async function removeOwn(path: string): Promise<void> {
  const { uid } = await lstat(path).then((found) => (found.isDirectory() ? found : { uid: null }));
  if (uid === null || (process.getuid && uid !== process.getuid())) return;
  await rm(path, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's process
  }
}

type FileFacts = Pick<PagePicture, 'width' | 'height' | 'dpi' | 'warnings' | 'steps'> & { readonly size: number };

class PictureFile implements PagePicture {
  readonly mimeType = 'image/png';
  readonly file: FileHandle;
  readonly width: number;
  readonly height: number;
  readonly dpi: number | null;
  readonly warnings: readonly string[];
  readonly steps?: readonly PreprocessingStep[];
  readonly #size: number;

  constructor(file: FileHandle, { size, width, height, dpi, warnings, steps }: FileFacts) {
    this.file = file;
    this.width = width;
    this.height = height;
    this.dpi = dpi;
    this.warnings = warnings;
    if (steps) this.steps = steps;
    this.#size = size;
  }

  /** The bytes, for the few that look at the picture again; only while the file is open. */
  get bytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(this.file.fd, bytes, at, bytes.length - at, at);
      if (read === 0) throw new Error('a picture’s file is shorter than it was');
      at += read;
    }
    return bytes;
  }
}
