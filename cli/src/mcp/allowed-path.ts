import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The path of a file below the folder that an agent may read from, with links followed. Throws for any other. */
export async function allowedPath(root: string, path: string): Promise<string> {
  const base = await realpath(root);
  const file = await realpath(resolve(base, path)).catch(() => null);
  if (file === null) throw new Error(`There is no file ${path} below the folder of documents.`);
  const inside = relative(base, file);
  if (['', '..'].includes(inside) || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new Error(`${path} is outside of the folder of documents.`);
  }
  if (!(await stat(file)).isFile()) throw new Error(`${path} is no file.`); // a pipe would be waited for without an end
  return file;
}
