import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { OcrError } from './errors.ts';

/** A path, a `http(s)://` address, bytes, or a stream of bytes. */
export type Source = string | URL | Uint8Array | AsyncIterable<Uint8Array>;

/** A document as the contract takes it, and what it is known by. */
export interface Document {
  readonly input: { type: 'base64'; data_base64: string } | { type: 'url'; url: string };
  /** Of the bytes, or of the address: what it says may change. */
  readonly sha256: string;
}

/** The most that a document may have, and how a larger one is refused. */
interface Limit {
  readonly bytes: number;
  readonly refusal: (bytes: number) => string;
}

/** A body has 10 MB at most, a little of which is not the document. */
const IN_BODY: Limit = {
  bytes: 7_800_000,
  refusal: (bytes) =>
    `The document has ${bytes} bytes; a body holds ${IN_BODY.bytes}. Send the address of the document instead.`,
};
/** Of a document that is sent as it is: more than any gateway takes. */
const RAW: Limit = {
  bytes: 1_000_000_000,
  refusal: () => `The document has more than ${RAW.bytes} bytes.`,
};
const MIME_BY_ENDING: Readonly<Record<string, string>> = { '.pdf': 'application/pdf' };

export async function openDocument(source: Source): Promise<Document> {
  const url = urlOf(source);
  if (url) return { input: { type: 'url', url }, sha256: sha256(url) };
  const bytes = await bytesOf(source, IN_BODY);
  const mime = typeof source === 'string' ? MIME_BY_ENDING[extname(source).toLowerCase()] : undefined;
  const data_base64 = Buffer.from(bytes).toString('base64');
  return { input: { type: 'base64', data_base64, ...(mime && { mime_type: mime }) }, sha256: sha256(bytes) };
}

/** The bytes of a document that is at hand; of an address the caller has to get them first. */
export async function rawDocument(source: Source): Promise<Uint8Array> {
  const url = urlOf(source);
  if (url) {
    const message = `The document itself is needed, not its address: get the bytes of ${url} first.`;
    throw new OcrError(message, { code: 'invalid_request', status: 400 });
  }
  return bytesOf(source, RAW);
}

function urlOf(source: Source): string | null {
  if (source instanceof URL) return source.protocol === 'file:' ? null : source.href;
  return typeof source === 'string' && /^https?:\/\//i.test(source) ? source : null;
}

async function bytesOf(source: Source, limit: Limit): Promise<Uint8Array> {
  if (typeof source === 'string' || source instanceof URL) {
    check((await stat(source)).size, limit); // before it is in memory
  }
  const bytes = await allOf(source, limit);
  check(bytes.length, limit);
  return bytes;
}

async function allOf(source: Source, limit: Limit): Promise<Uint8Array> {
  if (typeof source === 'string' || source instanceof URL) return readFile(source);
  return source instanceof Uint8Array ? source : collected(source, limit);
}

async function collected(source: AsyncIterable<Uint8Array>, limit: Limit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > limit.bytes) break; // it is refused for its size, whatever follows
  }
  return Buffer.concat(chunks);
}

function check(bytes: number, limit: Limit): void {
  if (bytes > limit.bytes) throw new OcrError(limit.refusal(bytes), { code: 'payload_too_large', status: 413 });
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
