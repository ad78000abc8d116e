import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION } from '../../monitoring/changelog.ts';
import { endWithError } from '../../platform/connections/end-with-error.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { send } from '../../rest/send.ts';

/** Limits of the head of a request: bytes, and milliseconds until it is complete. */
export interface HeadLimits {
  readonly maxHeaderSize: number;
  readonly headersTimeout: number;
}

/** An error of Node's on a connection; `reason` is what its parser says. */
type ClientError = Error & { readonly code?: string; readonly reason?: string };

/**
 * Answers an error that Node's server finds on a connection as the contract says, and ends the connection. Where an answer has
 * begun, or a complete call waits for its own, the error would be taken for a part of that answer: such a connection just ends.
 */
export function refuseConnection(error: ClientError, socket: Duplex, limits: HeadLimits): void {
  if (socket.writableEnded && !socket.destroyed) return; // it was answered: this is what came behind
  const answer = answerUnderWay(socket);
  if (!socket.writable || answer?.headersSent || answer?.req.complete) return void socket.destroy();
  // Not destroyed here: a reset would overtake the answer. The receiver of the body learns of it when the connection closes.
  endWithError(socket, appErrorOf(error, limits), { 'X-API-Version': API_VERSION });
}

/** Answers an error of a request that has a response, and ends its connection: whether a body follows is unknown. */
export function refuseCall(res: ServerResponse, error: AppError): void {
  res.setHeader('X-Request-Id', newId('req_'));
  res.setHeader('X-API-Version', API_VERSION);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.shouldKeepAlive = false;
  send(res, { status: error.status, body: error.envelope() });
}

/** Whether the header `Host` is missing. HTTP/1.1 demands it; HTTP/1.0 does not know it. */
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

/** The response that is under way on a connection, by the property that Node keeps it in and uses for such errors itself. */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
