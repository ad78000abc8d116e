import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import { BackupError, HEADER, type Header, MANIFEST, type Manifest, parseHeader, parseManifest } from './format.ts';

const MOST_JSON_BYTES = 4 * 1024 * 1024;
const PIECE = /^data\/([a-z_][a-z0-9_]*)\/(\d{6,})\.copy$/;
const DAMAGED = 'The backup is damaged or not complete';

/** Takes what a backup holds, in its order. */
export interface ArchiveConsumer {
  onHeader(header: Header): Promise<void>;
  /** A piece of a table's rows; the pieces of one table come one after the other. */
  onPiece(table: string, piece: Readable): Promise<void>;
  onManifest(manifest: Manifest): Promise<void>;
}

/** Reads a backup from its beginning to its end. Throws `BackupError` for one that is damaged, cut off or none. */
export async function readArchive(path: string, consumer: ArchiveConsumer): Promise<void> {
  const seen = { header: false, manifest: false, table: '', pieces: 0 };
  await eachEntry(path, async (name, entry) => {
    if (seen.manifest) throw new BackupError(`${DAMAGED}: something comes after its end.`);
    if (!seen.header) {
      if (name !== HEADER) throw new BackupError('The file is no backup of ocr-router.');
      seen.header = true;
      return consumer.onHeader(parseHeader(await textOf(entry)));
    }
    if (name === MANIFEST) {
      seen.manifest = true;
      return consumer.onManifest(parseManifest(await textOf(entry)));
    }
    const [, table, number] = PIECE.exec(name) ?? [];
    if (table === undefined) throw new BackupError(`${DAMAGED}: it holds ${JSON.stringify(name.slice(0, 100))}.`);
    if (table !== seen.table) Object.assign(seen, { table, pieces: 0 });
    if (Number(number) !== seen.pieces++) throw new BackupError(`${DAMAGED}: a piece of ${table} is missing.`);
    await consumer.onPiece(table, entry);
  });
  if (!seen.manifest) throw new BackupError(`${DAMAGED}: its end is missing.`);
}

/** The header alone. */
export async function readHeader(path: string): Promise<Header> {
  let header: Header | null = null;
  const stop = new Error('the header is all that is wanted');
  await eachEntry(path, async (name, entry) => {
    if (name !== HEADER) throw new BackupError('The file is no backup of ocr-router.');
    header = parseHeader(await textOf(entry));
    throw stop;
  }).catch((error: unknown) => {
    if (error !== stop) throw error;
  });
  if (!header) throw new BackupError(`${DAMAGED}: its beginning is missing.`);
  return header;
}

async function eachEntry(path: string, take: (name: string, entry: Readable) => Promise<void>): Promise<void> {
  const extract = tar.extract();
  let failure: unknown = null;
  extract.on('entry', ({ name }, stream, next) => {
    const entry = stream.pipe(new PassThrough());
    stream.on('error', (error) => entry.destroy(error));
    take(name, entry).then(
      () => {
        entry.resume();
        next();
      },
      (error: unknown) => {
        failure ??= error;
        next(error);
      },
    );
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), extract);
  } catch (error) {
    throw failure ?? asBackupError(error as NodeJS.ErrnoException);
  }
}

/** What cannot be unpacked is the file's fault; what the disk says is not. */
function asBackupError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return new BackupError('There is no such file.');
  if (error.syscall !== undefined) return error;
  return new BackupError(`${DAMAGED}: ${error.message}.`, { cause: error });
}

async function textOf(entry: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_JSON_BYTES) throw new BackupError(`${DAMAGED}: a description in it is too long.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
