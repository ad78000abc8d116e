import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import copy from 'pg-copy-streams';

/** A file with the rows of a part, as CSV with the names of the columns. */
export interface PartFile {
  readonly rows: number;
  readonly bytes: number;
  /** Of the file as it is, as `sha256sum` has it. */
  readonly sha256: string;
}

/** Writes the rows of a table to a file that is not there yet, for its owner alone, and reads it again. */
export async function writePartFile(
  client: pg.Client,
  table: string,
  path: string,
  stop?: AbortSignal,
): Promise<PartFile> {
  const rows = client.query(
    copy.to(
      `copy (select * from ${client.escapeIdentifier(table)} order by request_id, number) to stdout (format csv, header)`,
    ),
  );
  const [contents, file] = [new Digest(), new Digest()];
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(
    rows,
    (chunks) => contents.pass(chunks),
    createGzip(),
    (chunks) => file.pass(chunks),
    target,
    { signal: stop },
  );
  const written = { sha256: file.end(), contents: contents.end() };
  const read = await readPartFile(path, stop);
  if (read.sha256 !== written.sha256 || read.contents !== written.contents) {
    throw new Error(`${path} is not what was written to it`);
  }
  return { rows: rows.rowCount, bytes: file.bytes, sha256: written.sha256 };
}

/** The SHA-256 of a file and of what is packed in it. Throws where it cannot be unpacked to its end. */
export async function readPartFile(path: string, stop?: AbortSignal): Promise<{ sha256: string; contents: string }> {
  const [contents, file] = [new Digest(), new Digest()];
  await pipeline(
    createReadStream(path),
    (chunks) => file.pass(chunks),
    createGunzip(),
    (chunks) => contents.pass(chunks),
    async (chunks) => {
      for await (const _chunk of chunks);
    },
    { signal: stop },
  );
  return { sha256: file.end(), contents: contents.end() };
}

/** Length and SHA-256 of what passes. */
class Digest {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  /** Nothing passes afterwards. */
  end(): string {
    return this.#hash.digest('hex');
  }
}
