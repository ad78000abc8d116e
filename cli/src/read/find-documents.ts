import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { onDisk, pathOf } from '../paths/path-bytes.ts';

const ENDINGS = new Set(['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.bmp']);

export interface Found {
  readonly files: readonly string[];
  /**
   * Symbolic links in folders that look like documents, or lead to folders where `recursive` is set. They are not followed: what
   * they lead to may lie anywhere.
   */
  readonly links: readonly string[];
}

/**
 * The documents at these paths: every file that is named, and in folders, in order of names, the files with a document's ending.
 */
export async function findDocuments(paths: readonly string[], recursive: boolean): Promise<Found> {
  const found = { files: new Set<string>(), links: new Set<string>() };
  for (const path of paths) {
    if (await isFolder(path)) await findIn(path, recursive, found);
    else found.files.add(path);
  }
  return { files: [...found.files], links: [...found.links].filter((link) => !found.files.has(link)) };
}

/** The line of a plan for a link that is left out. */
export function describeLink(link: string): string {
  return `${link}: is a symbolic link, and is left; name it to have it read.`;
}

/** Checks that there is something at every path. Throws for the first one where there is not. */
export async function requirePaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) await isFolder(path);
}

export async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(onDisk(path)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause;
    throw new Error(`${path}: there is no such file or folder.`, { cause });
  });
  return entry.isDirectory();
}

async function findIn(folder: string, recursive: boolean, found: { files: Set<string>; links: Set<string> }) {
  const all = await readdir(onDisk(folder), { withFileTypes: true, encoding: 'buffer' });
  const entries = all.map((entry) => ({ entry, name: pathOf(entry.name) }));
  for (const { entry, name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    if (entry.isDirectory() && recursive) await findIn(path, true, found);
    if (entry.isFile() && isDocument(name)) found.files.add(path);
    if (entry.isSymbolicLink() && (isDocument(name) || (recursive && (await leadsToFolder(path))))) {
      found.links.add(path);
    }
  }
}

function leadsToFolder(link: string): Promise<boolean> {
  return isFolder(link).catch(() => false); // to nothing
}

/** Whether a file in a folder is a document by its name. Outputs of this program are not. */
function isDocument(name: string): boolean {
  return ENDINGS.has(extname(name).toLowerCase()) && !/\.ocr\.\w+$/i.test(name);
}
