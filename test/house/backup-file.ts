import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** Writes a backup anew with other contents: `change` gets every entry, and answers what it shall hold, or null for none. */
export async function rewriteBackup(
  from: string,
  to: string,
  change: (name: string, text: string) => string | null,
): Promise<void> {
  const extract = tar.extract();
  const pack = tar.pack();
  const written = pipeline(pack, createGzip(), createWriteStream(to));
  const read = pipeline(createReadStream(from), createGunzip(), extract);
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer); // a tar's entry streams Buffers
    const text = change(entry.header.name, Buffer.concat(chunks).toString());
    if (text !== null) pack.entry({ name: entry.header.name }, text);
  }
  await read;
  pack.finalize();
  await written;
}
