import type { Response } from 'express';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';

/** What the first steps of a listener put into `res.locals`, for later ones. */
export type Locals = Pick<Context, 'caller' | 'onRefused'>;

/** The caller; null without one, and before it is identified. */
export function callerOf(res: Response): Caller | null {
  return (res.locals as Partial<Locals>).caller ?? null;
}

/** The account of the caller; null without one. */
export function accountOf(res: Response): string | null {
  return callerOf(res)?.accountId ?? null;
}
