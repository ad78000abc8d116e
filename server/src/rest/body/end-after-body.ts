import type { ServerResponse } from 'node:http';
import { drain } from './drain.ts';

/**
 * Ends an answer, after the request's body has come in where the connection closes with the answer: a connection closed
 * before that is a reset, and a client that is still writing would see a broken pipe instead of the answer. A body that
 * does not come to its end within limits loses its connection.
 */
export function endAfterBody(res: ServerResponse, body: string): void {
  const { req } = res;
  if (req.complete || res.shouldKeepAlive) res.end(body);
  else {
    res.write(body);
    req.once('end', () => res.end());
    req.once('close', () => res.end());
  }
  drain(req);
}
