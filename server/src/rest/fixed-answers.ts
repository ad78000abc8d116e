import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

const MAX_KEPT = 64;
const MAX_AGE_SECONDS = 60;

interface Kept {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** Answers that are the same for everyone: kept as bytes, with an ETag. */
export class FixedAnswers {
  readonly #kept = new Map<string, Kept>();

  /** Sends the answer that is kept for this URL; false when there is none. */
  send(req: IncomingMessage, res: ServerResponse): boolean {
    const kept = req.method === 'GET' ? this.#kept.get(req.url ?? '') : undefined;
    if (!kept) return false;
    if (req.headers['if-none-match'] === kept.headers['ETag']) {
      res.writeHead(304, { ETag: kept.headers['ETag'] });
      res.end();
      return true;
    }
    res.writeHead(200, kept.headers);
    res.end(kept.bytes);
    return true;
  }

  /** Keeps an answer for its URL. */
  keep(url: string, reply: Reply): void {
    if (reply.status !== 200 || this.#kept.size >= MAX_KEPT) return;
    const bytes = Buffer.from(JSON.stringify(reply.body));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      ETag: `W/"${tag}"`,
    };
    this.#kept.set(url, { bytes, headers });
  }
}
