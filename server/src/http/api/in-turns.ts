import type { Request, RequestHandler, Response } from 'express';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import type { ReadTurns } from '../../platform/concurrency/read-turns.ts';

/** Files are megabytes for who takes nothing packed: those of an account, or of an address, begin one after the other. */
export function inTurns(
  reads: Pick<ReadTurns, 'run'>,
  partyOf: (req: Request, res: Response) => string,
): RequestHandler {
  return (req, res, next) => {
    const sent = () =>
      new Promise<void>((resolve) => {
        res.once('close', resolve);
        next();
      });
    reads.run(partyOf(req, res), hangUpOf(res), sent).catch(next);
  };
}
