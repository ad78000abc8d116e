import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makePdf } from '../house/pdf.ts';
import { ROOT } from './pages.ts';

const SMALL = [300, 200] as const;
const MARGIN = { top: 40, bottom: 40, left: 40, right: 40, background: 'white' };

/** The documents that the pages speak of. */
export async function documents(): Promise<Record<string, Buffer>> {
  const fox = await readFile(join(ROOT, 'test/fixtures/quick-brown-fox.png'));
  const word = await readFile(join(ROOT, 'test/fixtures/one-word.png'));
  const invoice = makePdf([
    { size: SMALL, text: 'Invoice 0042\nTotal 118.00' },
    { size: SMALL, text: 'Page two' },
  ]);
  return {
    'page.png': fox,
    'invoice.pdf': invoice,
    'scan.pdf': await scanOf(fox, 3, [225, 160]),
    'long-scan.pdf': await scanOf(await sharp(word).trim().extend(MARGIN).toBuffer(), 21, [68, 28]),
    'scans/first.pdf': invoice,
    'scans/second.pdf': await scanOf(fox, 1, [225, 160]),
  };
}

async function scanOf(picture: Buffer, pages: number, size: readonly [number, number]): Promise<Buffer> {
  const { data: jpeg, info } = await sharp(picture)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg()
    .toBuffer({ resolveWithObject: true });
  return makePdf(
    Array.from({ length: pages }, () => ({ size, picture: { jpeg, width: info.width, height: info.height } })),
  );
}

/** Folders in which examples run: with their documents, and this checkout's packages. */
export class Examples implements AsyncDisposable {
  readonly #root: string;
  readonly #documents: Readonly<Record<string, Buffer>>;
  #made = 0;

  private constructor(root: string, files: Readonly<Record<string, Buffer>>) {
    this.#root = root;
    this.#documents = files;
  }

  static async open(): Promise<Examples> {
    const root = await mkdtemp(join(tmpdir(), 'ocr-docs-'));
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    await writeFile(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
    return new Examples(root, await documents());
  }

  /** A folder with the command of the pages. */
  async commands(): Promise<string> {
    const bin = join(this.#root, 'bin');
    await mkdir(bin, { recursive: true });
    const path = join(bin, 'ocr-router');
    await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'cli/dist/main.js')}' "$@"\n`);
    await chmod(path, 0o755);
    return bin;
  }

  async folder(): Promise<string> {
    const folder = join(this.#root, String(this.#made++));
    await mkdir(join(folder, 'scans'), { recursive: true });
    for (const [name, bytes] of Object.entries(this.#documents)) await writeFile(join(folder, name), bytes);
    await copyFile(join(this.#root, 'package.json'), join(folder, 'package.json'));
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}
