import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonInTurns } from '../platform/turns/json-in-turns.ts';
import { isDrainable } from './body/drain.ts';
import { endAfterBody } from './body/end-after-body.ts';
import { isStreamed, type Reply, type StreamedBody } from './contract/reply.ts';
import { holdSource } from './unread-bytes.ts';

/** Longest standstill of a streamed answer, in ms: its source gives nothing, or its reader takes nothing. */
const STALLED_MS = 120_000;
/** Least rate of a reader over all of its time: a file that is taken more slowly is not waited for, because it is in memory. */
const LEAST_BYTES_PER_SECOND = 16_384;

/** Least characters of a JSON answer that is sent while it is made: only what its reader takes next is in memory. */
const STREAMED_FROM = 1024 * 1024;

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Sends an answer that is an object or a text. */
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

/** Sends an answer, which may be a stream. Resolves when all of it was handed over. */
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
 * Sends a stream, and destroys it however that ends: what it holds (memory, a permit) is given back then. An error of the stream,
 * a client that leaves or stands still, and headers that cannot be sent end the connection.
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

/**
 * Hands all of a stream to the reader of an answer. `size`: about how many bytes; null where unknown. Rejects where the reader
 * leaves or stands still.
 */
export async function flow(stream: Readable, res: ServerResponse, size: number | null): Promise<void> {
  res.setTimeout(STALLED_MS, () => res.destroy());
  const late = size === null ? undefined : setTimeout(() => res.destroy(), longestMs(size)).unref();
  await pipeline(stream, res, { end: false }).finally(() => clearTimeout(late));
}

/** Most milliseconds for the reader of an answer of so many bytes. */
export function longestMs(bytes: number): number {
  return STALLED_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000;
}

function begin(res: ServerResponse, { status }: Reply, headers: OutgoingHttpHeaders): void {
  if (!isDrainable(res.req)) res.shouldKeepAlive = false; // Node says `Connection: close`, and `endAfterBody` ends it
  res.writeHead(status, headers);
}
