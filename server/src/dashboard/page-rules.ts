import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * What pages of the dashboard may do: run its own scripts and styles, show pictures, and call this origin and the API,
 * which the playground needs. Nothing else: texts that were read from documents are never code.
 */
export function pageRules(api: { url: URL | null; port: number }): RequestHandler {
  return helmet({
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", (req) => apiSources(req, api)],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
  });
}

/** The API as the browser reaches it, for calls and for subscriptions. */
function apiSources(req: IncomingMessage, { url, port }: { url: URL | null; port: number }): string {
  const host = `http://${req.headers.host ?? 'localhost'}`;
  const api = url ?? new URL(URL.canParse(host) ? host : 'http://localhost');
  if (!url) api.port = String(port);
  return `${api.origin} ${api.origin.replace(/^http/, 'ws')}`;
}
