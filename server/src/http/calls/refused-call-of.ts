import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../accounts/callers/caller.ts';
import { engineIn } from '../../graphql/call/refused-calls.ts';
import type { AppError } from '../../platform/errors.ts';
import type { RefusedCall } from '../../platform/refused-call.ts';

/** The record of a refused call; null where the answer belongs to a request, which is counted as such. */
export function refusedCallOf(
  { status, code, message }: AppError,
  res: ServerResponse,
  { caller, address, body }: { readonly caller: Caller | null; readonly address: string; readonly body?: unknown },
): RefusedCall | null {
  const requestId = res.getHeader('X-Request-Id');
  if (typeof requestId !== 'string' || !requestId.startsWith('req_')) return null;
  const { method = '' } = res.req;
  const url = urlOf(res.req);
  return {
    ...{ requestId, status, code, message, method, path: url.split('?')[0] ?? '' },
    accountId: caller?.accountId ?? null,
    keyId: caller?.keyId || null,
    address: caller ? null : address,
    engine: engineIn(body),
  };
}

/** The address that was called: Express takes the path of a handler's mount off `url`. */
function urlOf(req: IncomingMessage & { readonly originalUrl?: unknown }): string {
  return typeof req.originalUrl === 'string' ? req.originalUrl : (req.url ?? '');
}
