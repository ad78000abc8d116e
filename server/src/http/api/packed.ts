import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { isNotModified } from '../../rest/not-modified.ts';
import { takesEncoding } from '../calls/takes-encoding.ts';

const MAX_AGE_SECONDS = 3600;

const gzipped = promisify(gzip);

type Read = () => Promise<Buffer> | Buffer;

/** Serves a text that never changes while the process runs. It is read and compressed when it is first asked for. */
export function packed(type: string, read: Read): RequestHandler {
  let file: ReturnType<typeof pack> | null = null;
  return async (req, res) => {
    file ??= pack(read);
    const { plain, body, etag } = await file.catch((error: Error) => {
      file = null; // the next one tries again
      throw error;
    });
    if (isHeldAlready(req, res, etag)) return;
    const isPacked = takesEncoding(req.headers['accept-encoding'], 'gzip');
    if (isPacked) res.setHeader('Content-Encoding', 'gzip');
    res.type(type).send(isPacked ? body : plain);
  };
}

/** Sets the headers for caching. Where the client has the text already, it answers 304 and returns true. */
export function isHeldAlready(req: Request, res: Response, etag: string): boolean {
  res.setHeader('ETag', etag);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('Cache-Control', `${req.headers.authorization ? 'private' : 'public'}, max-age=${MAX_AGE_SECONDS}`);
  if (!isNotModified(req.headers['if-none-match'], etag)) return false;
  res.status(304).end();
  return true;
}

async function pack(read: Read) {
  const plain = await read();
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, body: await gzipped(plain), etag };
}
