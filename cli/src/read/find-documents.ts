import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const ENDINGS = new Set(['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.bmp']);

/** The documents at these paths: a file as it is named, of a folder those with a document's ending, in order. */
export async function findDocuments(paths: readonly string[], recursive: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) found.push(path);
    else found.push(...(await documentsIn(path, recursive)));
  }
  return [...new Set(found)];
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
