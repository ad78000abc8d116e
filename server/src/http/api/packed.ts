import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { isNotModified } from '../../rest/not-modified.ts';

const zip = promisify(gzip);
const MAX_AGE_SECONDS = 3600;

/** One text that never changes while the process runs, packed for clients that take gzip; read when it is first asked for. */
export function packed(type: string, read: () => Promise<Buffer> | Buffer): RequestHandler {
  let file: Promise<{ plain: Buffer; gzipped: Buffer; etag: string }> | null = null;
  return async (req, res) => {
    file ??= pack(read);
    const { plain, gzipped, etag } = await file.catch((error: Error) => {
      file = null; // the next one tries again
      throw error;
    });
    res.setHeader('ETag', etag);
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Cache-Control', `${req.headers.authorization ? 'private' : 'public'}, max-age=${MAX_AGE_SECONDS}`);
    if (isNotModified(req.headers['if-none-match'], etag)) return void res.status(304).end();
    const takesGzip = acceptsGzip(String(req.headers['accept-encoding'] ?? ''));
    if (takesGzip) res.setHeader('Content-Encoding', 'gzip');
    res.type(type).send(takesGzip ? gzipped : plain);
  };
}

async function pack(read: () => Promise<Buffer> | Buffer) {
  const plain = await read();
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzipped: await zip(plain), etag };
}

/** `gzip;q=0` refuses it. */
function acceptsGzip(header: string): boolean {
  const gzips = header.split(',').map((part) => part.trim().toLowerCase());
  return gzips.some((part) => /^(?:x-)?gzip(?:\s*;|$)/.test(part) && !/;\s*q=0(?:\.0*)?$/.test(part));
}
