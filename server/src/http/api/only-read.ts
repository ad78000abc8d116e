import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../../platform/errors.ts';

/** Stands behind the GET of a path: 405 for every other method. OPTIONS is the router's to answer, which knows its routes. */
export const onlyRead: RequestHandler = (req, _res, next) => {
  if (req.method === 'OPTIONS') return next();
  throw methodNotAllowed(req.method, ['GET', 'HEAD']);
};
