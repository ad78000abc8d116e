import { createServer, type RequestListener, type Server } from 'node:http';
import { beginCall } from '../../platform/turns/young-calls.ts';
import { expectationUnknown, hostMissing, lacksHost, refuseCall, refuseConnection } from './client-errors.ts';
import { UpgradableRequest } from './upgradable-request.ts';

/**
 * Headers have a quarter of a minute. The whole request's limit only backs up what bodies have of their own: it is
 * longer than the slowest body may take (`BodyReceiver`), and an answer may take longer still.
 */
const LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 900_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16_384,
};

/** Of a body that nobody reads yet no more is taken from its connection: in chunks of a byte each costs hundreds of bytes. */
const UNREAD_BYTES = 4096;

/**
 * A server whose own errors are the contract's, too: what never becomes a call of the listener. Every call is known from its
 * beginning, for long work to let it end first.
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
 * The target of a call without scheme and authority, which HTTP/1.1 lets clients send as well (proxies do). Whom it names is not
 * looked at: `Host` alone says who is asked.
 */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const [whole] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [''];
  const path = target.slice(whole.length);
  return whole === '' || path.startsWith('/') ? path : `/${path}`;
}
