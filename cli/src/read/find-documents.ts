import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const ENDINGS = new Set(['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.bmp']);

/** The documents at these paths: a file as it is named, of a folder those with a document's ending, in order. */
export async function findDocuments(paths: readonly string[], recursive: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (await isFolder(path)) found.push(...(await documentsIn(path, recursive)));
    else found.push(path);
  }
  return [...new Set(found)];
}

/** Throws for the first path at which there is nothing. */
export async function requirePaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) await isFolder(path);
}

export async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause;
    throw new Error(`${path}: there is no such file or folder.`, { cause });
  });
  return entry.isDirectory();
}

async function documentsIn(folder: string, recursive: boolean): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && recursive) found.push(...(await documentsIn(path, true)));
    if (entry.isFile() && isDocument(entry.name)) found.push(path);
  }
  return found;
}

/** What this program has written is no document of the folder. */
function isDocument(name: string): boolean {
  return ENDINGS.has(extname(name).toLowerCase()) && !/\.ocr\.\w+$/i.test(name);
}
