import type { WebSocket } from 'ws';
import { AppError } from '../../platform/errors.ts';

/**
 * Gives the signal that aborts when the socket closes. All operations of the socket share it; it is made when it is first asked
 * for.
 */
export function hangUpOfSocket(socket: WebSocket): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    signal ??= watch(socket);
    return signal;
  };
}

function watch(socket: WebSocket): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError('invalid_request', 'The connection ended before the answer.'));
  if (socket.readyState === socket.CLOSED) leave();
  else socket.once('close', leave);
  return gone.signal;
}
