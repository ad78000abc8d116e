import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { requireScope } from '../../accounts/callers/caller.ts';
import { methodNotAllowed, unknownParameter } from '../../platform/errors.ts';
import type { AccountExports } from '../../usage/export/account-export.ts';
import { callerOf } from '../calls/locals.ts';

export const EXPORT = '/api/export';

/** Serves `GET /api/export`. Its gigabytes go past GraphQL and the facade. */
export function exportRoute(exports: Pick<AccountExports, 'open'>): RequestHandler {
  return async (req: Request, res: Response) => {
    const caller = callerOf(res);
    requireScope(caller, 'ocr:read');
    const { accountId } = requireScope(caller, 'usage:read');
    if (req.method !== 'GET') throw methodNotAllowed(req.method, ['GET']);
    const [parameter] = new URL(req.url, 'http://dashboard').searchParams.keys();
    if (parameter !== undefined) throw unknownParameter(parameter);
    const { stream, fileName } = await exports.open(accountId);
    res.setHeader('Content-Type', 'application/gzip');
    res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    await pipeline(stream, res).catch(() => res.destroy()); // headers are out: a cut connection says that it is not whole
  };
}
