import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler } from 'express';
import { isHeldAlready } from './packed.ts';
import { takesEncoding } from './takes-encoding.ts';

/** What the build has left (`scripts/render-explorer.mjs`): the page in each form, its tag, and the hash of its script. */
const FOLDER = new URL('./explorer/', import.meta.url);
const PAGE = 'page.html';
const FACTS = 'page.json';
const FORMS = [
  { encoding: 'br', file: `${PAGE}.br` },
  { encoding: 'gzip', file: `${PAGE}.gz` },
] as const;

interface Facts {
  readonly etag: string;
  readonly scriptHash: string;
}

/** Where the explorer's files are; null where the small package leaves them out. */
export function explorerFolder(): URL | null {
  return existsSync(new URL(FACTS, FOLDER)) ? FOLDER : null;
}

/** The explorer of the GraphQL API: sent from its files, so that nobody who reads it costs the service its megabytes. */
export function graphiql(folder: URL): RequestHandler {
  const root = fileURLToPath(folder);
  let facts: Facts | null = null;
  return (req, res, next) => {
    facts ??= JSON.parse(readFileSync(new URL(FACTS, folder), 'utf8')) as Facts;
    res.setHeader('Content-Security-Policy', policyOf(facts.scriptHash, req));
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (isHeldAlready(req, res, facts.etag)) return;
    const form = FORMS.find(({ encoding }) => takesEncoding(req.headers['accept-encoding'], encoding));
    if (form) res.setHeader('Content-Encoding', form.encoding);
    res.type('text/html');
    const options = { root, dotfiles: 'allow', acceptRanges: false, cacheControl: false, etag: false } as const;
    res.sendFile(form?.file ?? PAGE, { ...options, lastModified: false }, (error?: Error) => {
      if (error && !res.headersSent) next(error); // else the caller has gone, or goes with what it got
    });
  };
}

/** Only the page's own script runs, and it speaks with this server only. */
function policyOf(scriptHash: string, req: Request): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    `connect-src 'self' ${ownSockets(req)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Browsers differ in whether 'self' means the sockets of the same address. */
function ownSockets({ headers: { host } }: Request): string {
  return host !== undefined && /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host)
    ? `ws://${host} wss://${host}`
    : '';
}
