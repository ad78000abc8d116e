import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Request, RequestHandler } from 'express';
import { isPlainHost } from '../../platform/connections/plain-host.ts';
import { takesEncoding } from '../calls/takes-encoding.ts';
import { isHeldAlready } from './packed.ts';

/**
 * The folder that the build makes (`scripts/render-explorer.mjs`): the page in each encoding, and its tag and the hash of its
 * script.
 */
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

/** The folder of the explorer's files; null where the small package leaves them out. */
export function explorerFolder(): URL | null {
  return existsSync(new URL(FACTS, FOLDER)) ? FOLDER : null;
}

/** Serves the explorer of the GraphQL API from its files, so that its megabytes are not held in memory for readers. */
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

/** The page's policy: only its own script runs, and speaks with this server only. */
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

/** Sources for the sockets of the same address: not every browser counts them as 'self'. */
function ownSockets({ headers: { host } }: Request): string {
  return isPlainHost(host) ? `ws://${host} wss://${host}` : '';
}
