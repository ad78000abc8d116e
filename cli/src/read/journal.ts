import { appendFile, readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

/** What is written down of a file: before it is sent, before each of its outputs appears, and when it has its outcome. */
export interface Entry {
  readonly file: string;
  /** `partial`: read in part, and what was read is written. */
  readonly state: 'begun' | 'writing' | 'unwritten' | 'done' | 'partial' | 'failed';
  /** Of the file and the options: another file, or another wish, is not done. */
  readonly key: string;
  /** Of `writing`: what appears now, as it lies from the journal; of `unwritten`: what did not appear. */
  readonly output?: string;
  readonly request_id?: string;
  readonly status?: string;
  readonly cost_usd?: number;
  readonly error?: string;
  /** It was read in part, and no part had a text. */
  readonly is_empty?: boolean;
}

/** A run's journal beside its outputs, one line an entry. A line that was cut off by the end of the process is none. */
export class Journal {
  readonly #path: string;
  readonly #entries: Entry[];

  private constructor(path: string, entries: Entry[]) {
    this.#path = path;
    this.#entries = entries;
  }

  static async open(path: string): Promise<Journal> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    // After a line that was cut off the next one begins anew.
    if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
    return new Journal(path, text.split('\n').flatMap(parsed));
  }

  /** Its failure is that of the run: what is not written down might be paid for twice. */
  async write(entry: Entry): Promise<void> {
    this.#entries.push(entry);
    await appendFile(this.#path, `${JSON.stringify(entry)}\n`).catch((cause: Error) => {
      throw new Error(`the journal cannot be written: ${cause.message}`, { cause });
    });
  }

  /** Whether the file was read as it is wished for now, as a whole or in part; null where it was not. */
  doneBefore(file: string, key: string): 'done' | 'partial' | null {
    const states = new Set(this.#of(file, key).map(({ state }) => state));
    if (states.has('done')) return 'done';
    return states.has('partial') ? 'partial' : null;
  }

  /** Whether the file was read by any wish. */
  hasRead(file: string): boolean {
    return this.doneBefore(file, '') !== null;
  }

  /** Whether an earlier version has read the file with this very key: it wrote down that it did, but none of the outputs. */
  hasReadUnnamed(file: string, key: string): boolean {
    const entries = this.#entries.filter((entry) => entry.file === file && entry.key === key);
    const isRead = entries.some(({ state }) => state === 'done' || state === 'partial');
    return isRead && entries.every(({ output }) => output === undefined);
  }

  /** Before the output appears: after the end of the process nobody else could tell whose it is. */
  async writing(file: string, key: string, output: string): Promise<void> {
    await this.write({ file, state: 'writing', key, output: this.#placeOf(output) });
  }

  /** The output did not appear: what stands there later is somebody else's. */
  async unwritten(file: string, key: string, output: string): Promise<void> {
    await this.write({ file, state: 'unwritten', key, output: this.#placeOf(output) });
  }

  /**
   * Whether this program has written the output, and of that file; where a key is given, of what was read with it. Journals of
   * earlier versions name no outputs.
   */
  hasWritten(file: string, output: string, key: string | null = null): boolean {
    const place = this.#placeOf(output);
    const last = this.#entries.findLast((entry) => {
      return entry.file === file && entry.output === place && (key === null || entry.key === key);
    });
    return last?.state === 'writing';
  }

  /**
   * How often the file failed: what timed out or was cancelled is bound to its key, so the next try needs another one. What was
   * read in part is charged, and its key gives it again, unless it is kept nowhere (`not_retained`).
   */
  failures(file: string, key: string): number {
    return this.#of(file, key).filter(({ state, status, request_id }) => {
      return state === 'failed' && status !== 'partial' && request_id !== undefined;
    }).length;
  }

  /** Whether what was read with this very key had no text: nothing of it is lost where nothing of it is kept. */
  hadNoText(file: string, key: string): boolean {
    return this.#entries.some((entry) => entry.file === file && entry.key === key && entry.is_empty === true);
  }

  /** Wherever the command is run from. */
  #placeOf(output: string): string {
    return relative(dirname(resolve(this.#path)), resolve(output));
  }

  #of(file: string, key: string): Entry[] {
    return this.#entries.filter((entry) => entry.file === file && entry.key.startsWith(key));
  }
}

function parsed(line: string): Entry[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}
