import { buffer } from 'node:stream/consumers';
import type { Caller } from './caller.ts';

/** A file of a result, as it came. */
export interface FileReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Sends the document of a request for a file that needs it, a searchable PDF unless said otherwise. */
export async function outputOf(
  caller: Caller,
  { requestId, document, query = 'format=pdf' }: { requestId: string; document: Buffer; query?: string },
): Promise<FileReply> {
  const path = `/v1/ocr/${requestId}/output?${query}`;
  const headers = { 'content-type': 'application/octet-stream' };
  const reply = await caller.open('POST', path, { body: document, headers });
  return { status: reply.status, headers: reply.headers, bytes: await buffer(reply.stream) };
}
