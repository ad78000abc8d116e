import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** A tar wants to know how long a file is before its contents: longer files are continued in further ones. */
const FILE_BYTES = 1024 * 1024;
/** Who reads nothing for so long has gone. */
const STALLED_MS = 120_000;

/** A tar.gz that is read while it is written; one file at most is in memory. */
export class ArchiveStream {
  readonly readable: Readable;
  readonly #pack = tar.pack();

  constructor() {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    this.readable = gzip;
    pipeline(this.#pack, gzip, () => undefined); // who reads hears of it, and who writes by the next file
  }

  /** Adds a file; resolves when there is room for more, and rejects when the reader is gone. */
  add(name: string, contents: Buffer): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const stalled = setTimeout(() => this.#pack.destroy(new Error('the export was not read')), STALLED_MS);
      const gone = () => end(new Error('the export is not read any more'));
      const end = (error?: Error | null) => {
        clearTimeout(stalled);
        this.#pack.off('close', gone);
        if (error) reject(error);
        else resolve();
      };
      if (this.#pack.destroyed || this.readable.destroyed) return gone();
      this.#pack.on('close', gone);
      const entry = this.#pack.entry({ name, size: contents.length, mode: 0o600 }, end);
      entry.on('error', end);
      entry.end(contents);
    });
  }

  /** Lines as `NAME.ndjson`, `NAME.2.ndjson` and on; answers how many there were. */
  async addLines(name: string, lines: AsyncIterable<string>): Promise<number> {
    // Small pieces: what is large is kept until the next full collection of garbage.
    let held: Buffer[] = [];
    let bytes = 0;
    let files = 0;
    let count = 0;
    const flush = async () => {
      files += 1;
      const contents = Buffer.concat(held, bytes);
      held = [];
      bytes = 0;
      await this.add(files === 1 ? `${name}.ndjson` : `${name}.${files}.ndjson`, contents);
    };
    for await (const line of lines) {
      const piece = Buffer.from(`${line}\n`);
      held.push(piece);
      bytes += piece.length;
      count += 1;
      if (bytes >= FILE_BYTES) await flush();
    }
    if (bytes > 0 || files === 0) await flush();
    return count;
  }

  end(): void {
    this.#pack.finalize();
  }

  /** Ends it so that who reads knows that it is not whole. */
  fail(error: Error): void {
    this.#pack.destroy(error);
  }
}
