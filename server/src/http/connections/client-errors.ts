import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { endWithError } from '../../platform/connections/end-with-error.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { send } from '../../rest/send.ts';

/** What a request may have before its body, and how long that may take. */
export interface HeadLimits {
  readonly maxHeaderSize: number;
  readonly headersTimeout: number;
}

/** An error of Node's on a connection; `reason` is its parser's. */
type ClientError = Error & { readonly code?: string; readonly reason?: string };

/**
 * Answers what Node's server finds wrong on a connection by the contract, and ends the connection. Where an answer has begun,
 * or another call waits for its own, the error would be taken for a part of it: such a connection just ends.
 */
export function refuseConnection(error: ClientError, socket: Duplex, limits: HeadLimits): void {
  if (socket.writableEnded && !socket.destroyed) return; // it was answered: this is what came behind
  const answer = answerUnderWay(socket);
  if (!socket.writable || answer?.headersSent || answer?.req.complete) return void socket.destroy();
  // Not destroyed here: a reset would overtake the answer. Who receives the body hears of it when the connection closes.
  endWithError(socket, appErrorOf(error, limits), { 'X-API-Version': API_VERSION });
}

/** The same for an error of a request that has a response. Whether a body follows is not known then: the connection ends. */
export function refuseCall(res: ServerResponse, error: AppError): void {
  res.setHeader('X-Request-Id', newId('req_'));
  res.setHeader('X-API-Version', API_VERSION);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.shouldKeepAlive = false;
  send(res, { status: error.status, body: error.envelope() });
}

/** HTTP/1.1 demands the header; HTTP/1.0 does not know it. */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

export function hostMissing(): AppError {
  return new AppError('invalid_request', 'Send the header Host: HTTP/1.1 demands it.');
}

export function expectationUnknown(): AppError {
  return new AppError('invalid_request', 'Expect: only 100-continue is known.', { status: 417 });
}

function appErrorOf({ code, reason }: ClientError, { maxHeaderSize, headersTimeout }: HeadLimits): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const message = `The URL and the headers are too long: they may have ${maxHeaderSize} bytes in all.`;
      return new AppError('invalid_request', message, { status: 431 });
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('payload_too_large', 'The extensions of the chunks are too long.');
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const message = `The request did not come in time: send its headers within ${headersTimeout / 1000} seconds.`;
      return new AppError('invalid_request', message, { status: 408 });
    }
    default:
      return new AppError('invalid_request', `The request is no valid HTTP${reason ? `: ${reason}` : ''}.`);
  }
}

/** Node's own word for the response that a connection carries; it goes by it, too, when nobody listens for such errors. */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
