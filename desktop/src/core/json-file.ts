import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const fresh = `${this.#path}.new`;
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, this.#path);
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
