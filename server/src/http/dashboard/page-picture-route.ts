import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { type Caller, requireSession } from '../../accounts/callers/caller.ts';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import type { Documents } from '../../documents/documents.ts';
import { AppError, methodNotAllowed } from '../../platform/errors.ts';
import { callerOf } from '../calls/locals.ts';

export const PAGE_PICTURE = '/api/page-picture';

/** Resolution for a screen: a page of A4 is 827 pixels wide. */
const SCREEN_DPI = 100;

export interface PagePictures {
  readonly documents: Pick<Documents, 'inspect' | 'picture'>;
  /** Receives the body, a document, within the limits of bodies. The caller in `res.locals` may be another one afterwards. */
  readonly receive: (req: IncomingMessage, res: Response) => Promise<Buffer>;
  /** Throws unless the document is the one that the request was made with. */
  readonly requireOwnDocument: (caller: Caller, requestId: string, document: Buffer) => Promise<void>;
}

/**
 * Serves `POST /api/page-picture?page=n` with a document as the body: answers the page as a picture, for the playground, because
 * browsers show no PDF and no TIFF within a page. It is drawn where documents of requests are, under the same limits and in the
 * same turns, and not stored. With `request`, the id of a request, another document than its own is a 400: the positions of its
 * words would be wrong on it. This route is the pages', not the contract's.
 */
export function pagePictureRoute({ documents, receive, requireOwnDocument }: PagePictures): RequestHandler {
  return async (req, res) => {
    requireSession(callerOf(res));
    if (req.method !== 'POST') throw methodNotAllowed(req.method, ['POST']);
    const query = new URL(req.url, 'http://dashboard').searchParams;
    const page = pageIn(query);
    const requestId = query.get('request');
    const bytes = await receive(req, res);
    const caller = requireSession(callerOf(res));
    const client = { party: caller.accountId, signal: hangUpOf(res)(), opening: true };
    if (requestId !== null) await requireOwnDocument(caller, requestId, bytes);
    const { format, pages } = await documents.inspect(bytes, client);
    if (page > pages) throw new AppError('invalid_request', `page: the document has ${pages}.`);
    const picture = await documents.picture(bytes, format, page, { ...client, dpi: SCREEN_DPI });
    res.type(picture.mimeType).send(picture.bytes);
  };
}

function pageIn(query: URLSearchParams): number {
  const text = query.get('page') ?? '1';
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new AppError('invalid_request', 'page: must be a number from 1.');
}
