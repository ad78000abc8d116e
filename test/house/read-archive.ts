import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';

/** The files of a tar.gz, by their names. Throws where it is not whole. */
export async function readArchive(bytes: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const extract = tar.extract();
  const unpacked = Readable.from([bytes]).pipe(createGunzip());
  unpacked.on('error', (error) => extract.destroy(error));
  unpacked.pipe(extract);
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer); // a tar's entry streams Buffers
    files.set(entry.header.name, Buffer.concat(chunks).toString());
  }
  return files;
}

/** The objects of `NAME.ndjson` and of the files that continue it. */
export function linesOf<T>(files: ReadonlyMap<string, string>, name: string): T[] {
  const parts: string[] = [];
  for (let n = 1; ; n++) {
    const part = files.get(n === 1 ? `${name}.ndjson` : `${name}.${n}.ndjson`);
    if (part === undefined) break;
    parts.push(part);
  }
  return parts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T); // the test names the shape
}
