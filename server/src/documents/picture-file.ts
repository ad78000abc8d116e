import { readSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import type { PagePicture } from './document.ts';

let lastFile = 0;

/**
 * Pictures as open files that have lost their names, for programs on this machine: such a picture never passes through
 * this process's heap, whose collector a megabyte of buffer costs dearly, and no crash leaves it behind.
 */
export class PictureFiles implements AsyncDisposable {
  #folder: Promise<string> | undefined;

  async write(
    image: Sharp,
    { dpi, warningsOf }: { dpi: number | null; warningsOf(size: { width: number; height: number }): string[] },
  ): Promise<PagePicture> {
    // Nobody else may enter: sharp makes files that anyone may read.
    this.#folder ??= mkdtemp(join(tmpdir(), 'ocr-router-'));
    const path = join(await this.#folder, `${++lastFile}.png`);
    const { width, height, size } = await image.toFile(path);
    const file = await open(path, 'r');
    await unlink(path);
    return new PictureFile(file, { size, width, height, dpi, warnings: warningsOf({ width, height }) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }
}

class PictureFile implements PagePicture {
  readonly mimeType = 'image/png';
  readonly file: FileHandle;
  readonly width: number;
  readonly height: number;
  readonly dpi: number | null;
  readonly warnings: readonly string[];
  readonly #size: number;

  constructor(
    file: FileHandle,
    {
      size,
      width,
      height,
      dpi,
      warnings,
    }: Pick<PagePicture, 'width' | 'height' | 'dpi' | 'warnings'> & { size: number },
  ) {
    this.file = file;
    this.width = width;
    this.height = height;
    this.dpi = dpi;
    this.warnings = warnings;
    this.#size = size;
  }

  /** For the few who look at the picture again, and only while the file is open. */
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
