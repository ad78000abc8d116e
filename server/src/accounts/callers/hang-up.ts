import type { ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.ts';

/** A signal that aborts when the caller leaves before the answer is out; made when it is asked for. */
export function hangUpOf(res: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    signal ??= watch(res);
    return signal;
  };
}

function watch(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!res.writableEnded) gone.abort(new AppError('invalid_request', 'The connection ended before the answer.'));
  };
  if (res.closed || res.destroyed) leave();
  else res.once('close', leave);
  return gone.signal;
}
