import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { accountOf } from './locals.ts';

/** Ends the connection of an answer that is not read. `accountOf` is asked once the answer has been written. */
export type WatchAnswer = (req: IncomingMessage, res: ServerResponse, accountOf: () => string | null) => void;

/** `watchAnswer` as a handler of Express: a later step identifies the caller. */
export function watchAnswers({ watchAnswer }: { readonly watchAnswer: WatchAnswer }): RequestHandler {
  return (req, res, next) => {
    watchAnswer(req, res, () => accountOf(res));
    next();
  };
}
