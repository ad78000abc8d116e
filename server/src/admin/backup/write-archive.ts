import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** Rows are kept in pieces of this size: a tar wants to know how long a piece is before it. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** What was written of a stream. */
export interface Written {
  readonly bytes: number;
  readonly sha256: string;
}

/** A tar.gz that is written while its contents are read; one piece at most is in memory. */
export class ArchiveWriter {
  readonly #pack = tar.pack();
  readonly #written: Promise<void>;

  /** The file must not exist; only its owner can read it. */
  constructor(path: string) {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    this.#written = pipeline(this.#pack, createGzip({ level: constants.Z_BEST_SPEED }), file);
    this.#written.catch(() => undefined); // who writes or ends hears of it
  }

  async addJson(name: string, value: object): Promise<void> {
    await this.#add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
  }

  /** The stream, as `FOLDER/000000.copy` and on. */
  async addStream(folder: string, stream: Readable): Promise<Written> {
    const hash = createHash('sha256');
    let held: Buffer[] = [];
    let heldBytes = 0;
    let bytes = 0;
    let pieces = 0;
    const flush = async () => {
      await this.#add(`${folder}/${String(pieces++).padStart(6, '0')}.copy`, Buffer.concat(held, heldBytes));
      held = [];
      heldBytes = 0;
    };
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      bytes += chunk.length;
      if (heldBytes >= PIECE_BYTES) await flush();
    }
    if (heldBytes > 0) await flush();
    return { bytes, sha256: hash.digest('hex') };
  }

  /** Resolves when everything is on the disk. */
  async end(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
  }

  /** Ends without a whole file; answers why: what went wrong with the file, if something did, else the error given. */
  async abort(error: Error): Promise<Error> {
    this.#pack.destroy(error);
    return this.#written.then(
      () => error,
      (first: Error) => first,
    );
  }

  /** Resolves when there is room for more. A file that cannot be written ends the entry with an error. */
  #add(name: string, contents: Buffer): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, size: contents.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      );
      entry.on('error', reject);
      entry.end(contents);
    });
  }
}
