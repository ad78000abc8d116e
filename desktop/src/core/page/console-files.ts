import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its name changes with its content. */
  readonly hashed: boolean;
}

/** The built renderer. What is not in this list does not exist, so no path leads out of the folder. */
export class ConsoleFiles {
  readonly #files: ReadonlyMap<string, ConsoleFile>;

  private constructor(files: ReadonlyMap<string, ConsoleFile>) {
    this.#files = files;
  }

  static async read(folder: string): Promise<ConsoleFiles> {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const entries = names
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, ConsoleFile]> => {
        const file = join(entry.parentPath, entry.name);
        const path = file.slice(folder.length).replaceAll('\\', '/');
        const type = TYPES[extname(path)] ?? 'application/octet-stream';
        return [path, { type, bytes: await readFile(file), hashed: path.startsWith('/assets/') }];
      });
    return new ConsoleFiles(new Map(await Promise.all(entries)));
  }

  get(path: string): ConsoleFile | null {
    return path === '/index.html' ? null : (this.#files.get(path) ?? null);
  }

  /** The page with a nonce of its own, and what has to run before it. */
  page({ scripts = [] }: { readonly scripts?: readonly string[] } = {}): { html: string; nonce: string } {
    const index = this.#files.get('/index.html');
    if (!index) throw new Error('the renderer has not been built');
    const nonce = randomBytes(16).toString('base64url');
    const head = [
      `<meta name="csp-nonce" content="${nonce}" />`,
      ...scripts.map((source) => `<script src="${source}"></script>`),
    ];
    return { html: index.bytes.toString('utf8').replace('<head>', `<head>\n    ${head.join('\n    ')}`), nonce };
  }
}
