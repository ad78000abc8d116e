import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../desktop/dist/renderer/assets/', import.meta.url);

/** All JavaScript of the built page, gzipped, whether it is loaded at the start or later. */
export async function builtBundleKb(): Promise<number> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(new URL(name, ASSETS))).length));
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
}
