import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './contract/reply.ts';
import { isNotModified } from './not-modified.ts';

const MAX_KEPT = 64;
const MAX_AGE_SECONDS = 60;

interface Kept {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Keeps answers that are the same for every caller, as bytes with an ETag. An answer to a call with a key carries its rate limit,
 * so it is `private`.
 */
export class FixedAnswers {
  readonly #kept = new Map<string, Kept>();

  /** Sends the kept answer for this URL; false where there is none. */
  send(req: IncomingMessage, res: ServerResponse): boolean {
    const kept = req.method === 'GET' || req.method === 'HEAD' ? this.#kept.get(req.url ?? '') : undefined;
    if (!kept) return false;
    const { bytes, etag } = kept;
    const scope = req.headers.authorization === undefined ? 'public' : 'private';
    const caching = { 'Cache-Control': `${scope}, max-age=${MAX_AGE_SECONDS}`, ETag: etag };
    if (isNotModified(req.headers['if-none-match'], etag)) {
      res.writeHead(304, caching);
      res.end();
      return true;
    }
    const type = 'application/json; charset=utf-8';
    res.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, ...caching });
    res.end(bytes);
    return true;
  }

  /** Keeps an answer for its URL, of 64 URLs at most. */
  keep(url: string, reply: Reply): void {
    if (reply.status !== 200 || this.#kept.size >= MAX_KEPT) return;
    const bytes = Buffer.from(JSON.stringify(reply.body));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    this.#kept.set(url, { bytes, etag: `W/"${tag}"` });
  }
}
