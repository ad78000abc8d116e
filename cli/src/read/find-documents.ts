import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const ENDINGS = new Set(['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.bmp']);

export interface Found {
  readonly files: readonly string[];
  /** Symbolic links in folders that look like documents, or lead to folders where those are asked for. They are not followed: what they lead to may lie anywhere. */
  readonly links: readonly string[];
}

/** The documents at these paths: a file as it is named, of a folder those with a document's ending, in order. */
export async function findDocuments(paths: readonly string[], recursive: boolean): Promise<Found> {
  const found = { files: new Set<string>(), links: new Set<string>() };
  for (const path of paths) {
    if (await isFolder(path)) await findIn(path, recursive, found);
    else found.files.add(path);
  }
  return { files: [...found.files], links: [...found.links].filter((link) => !found.files.has(link)) };
}

/** What is said of each link in a plan. */
export function describeLink(link: string): string {
  return `${link}: is a symbolic link, and is left; name it to have it read.`;
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

async function findIn(folder: string, recursive: boolean, found: { files: Set<string>; links: Set<string> }) {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && recursive) await findIn(path, true, found);
    if (entry.isFile() && isDocument(entry.name)) found.files.add(path);
    if (entry.isSymbolicLink() && (isDocument(entry.name) || (recursive && (await leadsToFolder(path))))) {
      found.links.add(path);
    }
  }
}

function leadsToFolder(link: string): Promise<boolean> {
  return isFolder(link).catch(() => false); // to nothing
}

/** What this program has written is no document of the folder. */
function isDocument(name: string): boolean {
  return ENDINGS.has(extname(name).toLowerCase()) && !/\.ocr\.\w+$/i.test(name);
}
