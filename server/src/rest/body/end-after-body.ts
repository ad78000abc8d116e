import type { ServerResponse } from 'node:http';
import { drain } from './drain.ts';

/**
 * Ends an answer. Where the connection closes with it, the rest of the request's body comes in first: closing earlier resets the
 * connection, and a client that still writes would see a broken pipe instead of the answer. A body that does not end within the
 * limits of `drain` loses its connection.
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
