import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonInTurns } from '../platform/turns/json-in-turns.ts';
import { isDrainable } from './body/drain.ts';
import { endAfterBody } from './body/end-after-body.ts';
import { isStreamed, type Reply, type StreamedBody } from './contract/reply.ts';
import { holdSource } from './unread-bytes.ts';

/** How long a streamed answer may stand still: its source gives nothing, or its reader takes nothing. */
const STALLED_MS = 120_000;
/** A file that its reader takes more slowly than this, over all of its time, is not waited for: it is in memory. */
const LEAST_BYTES_PER_SECOND = 16_384;

/** Characters of a JSON answer from which on it is sent while it is made: in memory there is what its reader takes next. */
const STREAMED_FROM = 1024 * 1024;

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Sends an answer as it is. */
export function send(res: ServerResponse, reply: Reply & { readonly body: object | string }): void {
  const { body } = reply;
  if (typeof body === 'string') sendText(res, reply, body);
  else sendText(res, reply, JSON.stringify(body), JSON_TYPE);
}

function sendText(res: ServerResponse, reply: Reply, body: string, type: OutgoingHttpHeaders = {}): void {
  const length = reply.status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) };
  begin(res, reply, { ...type, ...reply.headers, ...length });
  endAfterBody(res, body);
}

/** The same for an answer that may be a stream: resolves when all of it was handed over. */
export async function sendReply(res: ServerResponse, reply: Reply): Promise<void> {
  const { body } = reply;
  if (isStreamed(body)) return sendStream(res, reply, body);
  if (typeof body === 'string') return sendText(res, reply, body);
  const json = jsonInTurns(body);
  if (json.size < STREAMED_FROM) return sendText(res, reply, await json.whole(), JSON_TYPE);
  using _held = holdSource(res, json.held);
  const stream = Readable.from(json.pieces(), { objectMode: false });
  const headers = { ...JSON_TYPE, ...reply.headers };
  await sendStream(res, { ...reply, headers }, { stream, length: null }, json.size);
}

/**
 * The stream is destroyed however sending ends: what it holds (memory, a permit) is given back with it. Its own error, a
 * client that goes or stands still, and headers that cannot be sent end the connection.
 */
async function sendStream(
  res: ServerResponse,
  reply: Reply,
  { stream, length }: StreamedBody,
  size = length,
): Promise<void> {
  try {
    begin(res, reply, { ...reply.headers, ...(length !== null && { 'Content-Length': length }) });
    if (res.req.method !== 'HEAD') await flow(stream, res, size);
  } finally {
    stream.destroy();
  }
  endAfterBody(res, '');
}

/** Hands over all of a stream, of about so many bytes where that is known. Rejects where its reader goes or stands still. */
export async function flow(stream: Readable, res: ServerResponse, size: number | null): Promise<void> {
  res.setTimeout(STALLED_MS, () => res.destroy());
  const late = size === null ? undefined : setTimeout(() => res.destroy(), longestMs(size)).unref();
  await pipeline(stream, res, { end: false }).finally(() => clearTimeout(late));
}

/** How long the reader of an answer of so many bytes may take. */
export function longestMs(bytes: number): number {
  return STALLED_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000;
}

function begin(res: ServerResponse, { status }: Reply, headers: OutgoingHttpHeaders): void {
  if (!isDrainable(res.req)) res.shouldKeepAlive = false; // Node says `Connection: close`, and `endAfterBody` ends it
  res.writeHead(status, headers);
}
