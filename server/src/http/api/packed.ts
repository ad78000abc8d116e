import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { isNotModified } from '../../rest/not-modified.ts';
import { takesEncoding } from './takes-encoding.ts';

const MAX_AGE_SECONDS = 3600;
/** Well packed in a second; the best takes a minute for some percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const PACKERS = { gzip: (plain: Buffer) => gzipped(plain), br: (plain: Buffer) => brotlied(plain, BROTLI) };

type Encoding = keyof typeof PACKERS;
type Read = () => Promise<Buffer> | Buffer;

/**
 * One text that never changes while the process runs: read when it is first asked for, packed once in each encoding and
 * sent in the first that the client takes.
 */
export function packed(type: string, read: Read, encodings: readonly Encoding[] = ['gzip']): RequestHandler {
  let file: ReturnType<typeof pack> | null = null;
  return async (req, res) => {
    file ??= pack(read, encodings);
    const { plain, forms, etag } = await file.catch((error: Error) => {
      file = null; // the next one tries again
      throw error;
    });
    res.setHeader('ETag', etag);
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Cache-Control', `${req.headers.authorization ? 'private' : 'public'}, max-age=${MAX_AGE_SECONDS}`);
    if (isNotModified(req.headers['if-none-match'], etag)) return void res.status(304).end();
    const form = forms.find(({ encoding }) => takesEncoding(req.headers['accept-encoding'], encoding));
    if (form) res.setHeader('Content-Encoding', form.encoding);
    res.type(type).send(form?.body ?? plain);
  };
}

async function pack(read: Read, encodings: readonly Encoding[]) {
  const plain = await read();
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const forms = await Promise.all(
    encodings.map(async (encoding) => ({ encoding, body: await PACKERS[encoding](plain) })),
  );
  return { plain, forms, etag };
}
