import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { takesEncoding } from '../calls/takes-encoding.ts';

const TYPES = new Map([
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

/** Serves the Brotli form of a file, which the build has put beside it, to browsers that take it. */
export function packedFiles(folder: string): RequestHandler {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const packed = new Set(names.filter((name) => name.endsWith('.br')).map((name) => name.slice(0, -3)));
  return (req: Request, res: Response, next) => {
    const type = TYPES.get(extname(req.path));
    const isPacked = type !== undefined && packed.has(req.path.slice(1));
    if (isPacked && takesEncoding(req.headers['accept-encoding'], 'br')) {
      res.setHeader('Content-Encoding', 'br');
      res.type(type);
      req.url = `${req.path}.br`;
    }
    res.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}
