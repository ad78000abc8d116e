import { appendFile, readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { wholePath } from '../paths/own-arguments.ts';
import { onDisk } from '../paths/path-bytes.ts';

/** An entry of the journal about a file: before it is sent, before each of its outputs appears, and when it has its outcome. */
export interface Entry {
  /** Its path, as the command had it. */
  readonly file: string;
  /** Its path relative to the journal, the same wherever the command is run from. Earlier versions wrote none. */
  readonly place?: string;
  /** The state. `partial`: the file was read in part, and that part is written. */
  readonly state: 'begun' | 'writing' | 'unwritten' | 'done' | 'partial' | 'failed';
  /**
   * The key of the file and the options (`keyOf`, for a later try with `-` and a number): a changed file, or other options, are
   * not done.
   */
  readonly key: string;
  /**
   * The path of an output, relative to the journal. Of `writing`: the one that appears now; of `unwritten`: the one that did not
   * appear.
   */
  readonly output?: string;
  readonly request_id?: string;
  readonly status?: string;
  readonly cost_usd?: number;
  readonly error?: string;
  /** Set where the file was read in part, and no part had a text. */
  readonly is_empty?: boolean;
}

/**
 * The journal of runs, beside their outputs, with one JSON line for each entry. A line that the end of a process cut off is
 * ignored.
 */
export class Journal {
  readonly #path: string;
  readonly #entries: Entry[];

  private constructor(path: string, entries: Entry[]) {
    this.#path = path;
    this.#entries = entries;
  }

  static async open(path: string): Promise<Journal> {
    const text = await readFile(onDisk(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    // Ends a line that was cut off, so that the next one stands by itself.
    if (text !== '' && !text.endsWith('\n')) await appendFile(onDisk(path), '\n');
    return new Journal(path, text.split('\n').flatMap(parsed));
  }

  /** Adds an entry. A failure ends the run: a document that is not written down might be paid for twice. */
  async write(given: Entry): Promise<void> {
    const entry = { ...given, place: this.#placeOf(given.file) };
    this.#entries.push(entry);
    await appendFile(onDisk(this.#path), `${JSON.stringify(entry)}\n`).catch((cause: Error) => {
      throw new Error(`the journal cannot be written: ${cause.message}`, { cause });
    });
  }

  /** How the file was read under this key: as a whole, or in part; null where it was not. */
  doneBefore(file: string, key: string): 'done' | 'partial' | null {
    const states = new Set(this.#of(file, key).map(({ state }) => state));
    if (states.has('done')) return 'done';
    return states.has('partial') ? 'partial' : null;
  }

  /** Whether the file was read under any key. */
  hasRead(file: string): boolean {
    return this.doneBefore(file, '') !== null;
  }

  /**
   * Whether an earlier version of this program has read the file under exactly this key: it wrote down the outcome, but no
   * outputs.
   */
  hasReadUnnamed(file: string, key: string): boolean {
    const entries = this.#of(file, key).filter((entry) => entry.key === key);
    const isRead = entries.some(({ state }) => state === 'done' || state === 'partial');
    return isRead && entries.every(({ output }) => output === undefined);
  }

  /** Adds that an output appears next: after the end of the process nothing else tells whose it is. */
  async writing(file: string, key: string, output: string): Promise<void> {
    await this.write({ file, state: 'writing', key, output: this.#placeOf(output) });
  }

  /** Adds that an output did not appear: a file that stands there later is somebody else's. */
  async unwritten(file: string, key: string, output: string): Promise<void> {
    await this.write({ file, state: 'unwritten', key, output: this.#placeOf(output) });
  }

  /**
   * Whether this program has written the output from that file, and, where a key is given, under that key. Journals of earlier
   * versions name no outputs.
   */
  hasWritten(file: string, output: string, key: string | null = null): boolean {
    const place = this.#placeOf(output);
    const last = this.#of(file).findLast((entry) => entry.output === place && (key === null || entry.key === key));
    return last?.state === 'writing';
  }

  /**
   * How often the file failed under this key. A request that timed out or was cancelled is bound to its idempotency key, so the
   * next try needs another one. One that was read in part was charged, and its key replays it, unless its result is kept nowhere
   * (`not_retained`).
   */
  failures(file: string, key: string): number {
    return this.#of(file, key).filter(({ state, status, request_id }) => {
      return state === 'failed' && status !== 'partial' && request_id !== undefined;
    }).length;
  }

  /** Whether the reading under exactly this key had no text: nothing is lost then where it is not kept. */
  hadNoText(file: string, key: string): boolean {
    return this.#of(file, key).some((entry) => entry.key === key && entry.is_empty === true);
  }

  /** A path relative to the journal, the same wherever the command is run from. */
  #placeOf(path: string): string {
    return relative(dirname(wholePath(this.#path)), wholePath(path));
  }

  /** The entries of a file whose keys begin so. */
  #of(file: string, key = ''): Entry[] {
    const place = this.#placeOf(file);
    const isOfIt = (entry: Entry) => (entry.place === undefined ? entry.file === file : entry.place === place);
    return this.#entries.filter((entry) => isOfIt(entry) && entry.key.startsWith(key));
  }
}

function parsed(line: string): Entry[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}
