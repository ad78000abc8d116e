import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Authenticator } from '../../accounts/callers/authenticate.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { ClientAddress } from '../../accounts/callers/client-address.ts';
import type { Context } from '../../accounts/callers/context.ts';

type Known = Pick<Context, 'caller' | 'browser'>;

/**
 * Identifies the caller once more, by the credentials of the call: a body may take minutes, in which a key is revoked, or
 * limited, or its account deleted. Throws as the first time, or answers null; counts no call.
 */
export type Renewed = (req: IncomingMessage, known: Known) => Promise<Caller | null>;

/** Identifies callers of the API's address once more, by their key. */
export function renewedByKey(authenticator: Authenticator, addressOf: ClientAddress): Renewed {
  return async (req, { caller }) => caller && authenticator.authenticate(req.headers.authorization, addressOf(req));
}

/**
 * Puts the caller, identified once more, into `res.locals` for later steps. Throws what `requireOne` throws where the caller has
 * gone.
 */
export function renewLocals(
  renewed: Renewed,
  requireOne: (caller: Caller | null) => Caller,
): (req: IncomingMessage, res: Response) => Promise<void> {
  return async (req, res) => {
    const locals = res.locals as Known; // an earlier step has set them
    Object.assign(locals, { caller: requireOne(await renewed(req, locals)) });
  };
}
