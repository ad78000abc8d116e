import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../../platform/errors.ts';

/**
 * Answers 405 for every method but GET, which a handler before it answers. OPTIONS is left to the router, which knows its routes.
 */
export const onlyRead: RequestHandler = (req, _res, next) => {
  if (req.method === 'OPTIONS') return next();
  throw methodNotAllowed(req.method, ['GET', 'HEAD']);
};
