import { createServer, type RequestListener, type Server } from 'node:http';
import { beginCall } from '../../platform/turns/young-calls.ts';
import { expectationUnknown, hostMissing, lacksHost, refuseCall, refuseConnection } from './client-errors.ts';
import { UpgradableRequest } from './upgradable-request.ts';

/**
 * Limits in milliseconds and bytes. `requestTimeout` only backs up the limits that bodies have of their own: it is longer than
 * the slowest body may take (`BodyReceiver`). An answer may take longer still.
 */
const LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 900_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16_384,
};

/**
 * Most bytes of an unread body that are taken from its connection: in chunks of one byte, each costs hundreds of bytes of memory.
 */
const UNREAD_BYTES = 4096;

/**
 * Makes a server whose own errors have the contract's form. Every call is announced from its beginning (`beginCall`), so that
 * long work can wait for its end.
 */
export function makeServer(listener: RequestListener, limits = LIMITS): Server {
  const options = {
    ...limits,
    highWaterMark: UNREAD_BYTES,
    requireHostHeader: false, // Node's own answer has no body
    IncomingMessage: UpgradableRequest,
  };
  const server = createServer(options, (req, res) => {
    if (lacksHost(req)) return refuseCall(res, hostMissing());
    req.url = pathOf(req.url ?? '/');
    res.once('close', beginCall());
    listener(req, res);
  });
  server.on('checkExpectation', (_req, res) => refuseCall(res, expectationUnknown()));
  server.on('clientError', (error, socket) => refuseConnection(error, socket, limits));
  return server;
}

/**
 * The target of a call without scheme and authority. HTTP/1.1 lets clients send these, too (proxies do). The authority is
 * ignored: `Host` alone counts.
 */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const [whole] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [''];
  const path = target.slice(whole.length);
  return whole === '' || path.startsWith('/') ? path : `/${path}`;
}
