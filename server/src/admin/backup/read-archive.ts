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

/** Reads a backup from its beginning to its end. Throws `BackupError` for one that cannot be read, is damaged, cut off or none. */
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
    throw failure ?? asBackupError(path, error as NodeJS.ErrnoException);
  }
}

function asBackupError(path: string, error: NodeJS.ErrnoException): BackupError {
  const message = error.syscall === undefined ? `${DAMAGED}: ${error.message}.` : `${path} ${whyUnreadable(error)}`;
  return new BackupError(message, { cause: error });
}

/** What the system says of a file, as the rest of a sentence that begins with its path. */
function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cannot be read: there is no such file.';
    case 'EISDIR':
      return 'is a folder: name the file of the backup that is in it.';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by the user who runs this command: let that user read it.';
    default:
      return `cannot be read: ${message}.`;
  }
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
