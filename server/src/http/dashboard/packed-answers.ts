import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { takesEncoding } from '../api/takes-encoding.ts';

/** Less than that is one or two packets either way. */
const LEAST_CHARACTERS = 4096;

const gzipped = promisify(gzip);

/**
 * Packs large texts that are sent: a hundred deliveries with their bodies are 140 kB, and 10 packed. What one answer says beside a
 * secret cannot be chosen by another site, whose calls come without the cookie and are refused, so lengths tell it nothing.
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
