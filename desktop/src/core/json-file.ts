import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A small JSON document in a file that only its user can read. Writes are whole and in order. */
export class JsonFile {
  readonly #path: string;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** What the file holds; null where there is none, or what it holds is no JSON. */
  async read(): Promise<unknown> {
    const text = await readFile(this.#path, 'utf8').catch(absent);
    if (text === null) return null;
    try {
      return JSON.parse(text);
    } catch {
      return null; // half a file of a full disk: as good as none
    }
  }

  write(content: unknown): Promise<void> {
    const writing = this.#last.then(() => this.#replace(`${JSON.stringify(content, null, 2)}\n`));
    this.#last = writing.catch(() => {}); // the caller gets it; the next write does not depend on it
    return writing;
  }

  async #replace(text: string): Promise<void> {
    await makeFolder(dirname(this.#path));
    const fresh = `${this.#path}.new`;
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, this.#path);
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Node's own way (`recursive`) does not end where a folder refuses others as if it were missing itself, as `/proc` does. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, 0o700).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error; // it may be there, or another process may have been first
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
