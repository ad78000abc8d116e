import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { takesEncoding } from '../calls/takes-encoding.ts';

/** Shortest text that is compressed: a shorter one is one or two packets either way. */
const LEAST_CHARACTERS = 4096;

const gzipped = promisify(gzip);

/**
 * Compresses large texts: a hundred deliveries with their bodies are 140 kB, compressed 10. Lengths tell another site nothing: it
 * cannot choose what an answer has beside a secret, because its calls come without the cookie and are refused.
 */
export const packedAnswers: RequestHandler = (req, res, next) => {
  if (takesEncoding(req.headers['accept-encoding'], 'gzip')) {
    const send = res.send.bind(res);
    res.send = (body: unknown): Response => {
      if (typeof body !== 'string' || body.length < LEAST_CHARACTERS) return send(body);
      gzipped(body).then((packed) => {
        res.setHeader('Content-Encoding', 'gzip');
        send(packed);
      }, next);
      return res;
    };
  }
  res.vary('Accept-Encoding');
  next();
};
