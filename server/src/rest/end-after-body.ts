import type { ServerResponse } from 'node:http';

/** How much of a body that nobody reads is read away so that the client can see the answer. */
const DRAIN_LIMIT = 40 * 1024 * 1024;

/**
 * Ends an answer, after the request's body has come in where the connection closes with the answer: a connection closed
 * before that is a reset, and a client that is still writing would see a broken pipe instead of the answer.
 */
export function endAfterBody(res: ServerResponse, body: string): void {
  const { req } = res;
  if (req.complete || res.shouldKeepAlive) return void res.end(body);
  res.write(body);
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_LIMIT) res.end();
  });
  req.once('end', () => res.end());
  req.once('close', () => res.end());
  req.resume();
}
