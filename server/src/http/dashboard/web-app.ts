import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Response, Router } from 'express';
import { readCookie } from '../../accounts/login/session-cookie.ts';
import { onlyRead } from '../calls/only-read.ts';
import { type ApiPlace, apiAddress } from './api-address.ts';
import { escapeHtml } from './escape-html.ts';
import { packedFiles } from './packed-files.ts';
import { openPageFiles } from './page-files.ts';
import { openPageHeads } from './page-heads.ts';
import { nonceOf, pageWithStyles } from './page-nonce.ts';

/** The folder of the dashboard's build, found from this file wherever the process was started. */
const BUILT = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url));

/** Paths that never answer the application, even to a browser. */
const NO_PAGE = /^\/(api|graphql|assets|static|\.well-known)(\/|$)/;

/** Serves the web application: its files, and for every other path that a browser opens the one page, which routes by itself. */
export function webApp(api: ApiPlace): RequestHandler {
  const router = Router();
  const file = join(BUILT, 'index.html');
  if (!existsSync(file)) return router; // a checkout without the build still serves its routes
  const page = readFileSync(file, 'utf8');
  const filesOf = openPageFiles(BUILT);
  const headOf = openPageHeads(BUILT);
  router.use('/assets', packedFiles(join(BUILT, 'assets')), files('assets', 'public, max-age=31536000, immutable'));
  router.use('/static', files('static', 'public, max-age=3600'));
  const pages = Router();
  pages.get(/.*/, pageWithStyles(api), (req, res) => {
    const origin = escapeHtml(apiAddress(req, api).origin);
    const mayBeIn = hasCookie(req.headers.cookie);
    const filled = page
      .replaceAll('%NONCE%', nonceOf(res))
      .replaceAll('%API%', origin)
      .replaceAll('%SESSION%', mayBeIn ? 'perhaps' : 'none')
      .replace('<meta name="page-files" />', mayBeIn ? filesOf(req.path) : '')
      .replace('<meta name="page-head" />', mayBeIn ? headOf(req.path) : '');
    res.type('html').send(filled);
  });
  pages.all('/', onlyRead);
  // Called only for pages: a router answers OPTIONS for every path that its routes match, and this one matches all.
  router.use((req, res, next) => (isPage(req.path, req.headers.accept) ? pages(req, res, next) : next()));
  return router;
}

/** Whether there is a session cookie. Without one the page need not ask for the session, only to be refused. */
function hasCookie(header: string | undefined): boolean {
  return ['__Host-session', 'session'].some((name) => readCookie(header, name) !== null);
}

function files(folder: string, cacheControl: string): RequestHandler {
  return express.static(join(BUILT, folder), {
    index: false,
    redirect: false,
    setHeaders: (res: Response) => res.setHeader('Cache-Control', cacheControl),
  });
}

/** Whether a path is answered with the page. Browsers name HTML in `Accept`; a program gets the page at `/` only. */
function isPage(path: string, accept: string | undefined): boolean {
  return path === '/' || (!NO_PAGE.test(path) && (accept?.includes('text/html') ?? false));
}
