import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type ApiPlace, apiAddress } from './api-address.ts';

/** Gives a source of styles that is allowed for one answer only. */
type StyleSource = (req: IncomingMessage, res: ServerResponse) => string;

/**
 * The policy for pages of the dashboard: they run its own scripts and styles, show pictures, and call this origin and the API,
 * which the playground needs. Nothing else: texts that were read from documents are never code.
 */
export function pageRules(api: ApiPlace, ...styles: readonly StyleSource[]): RequestHandler {
  return helmet({
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", ...styles],
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

/** The API's origins for the browser, for calls and for subscriptions. */
function apiSources(req: IncomingMessage, place: ApiPlace): string {
  const { origin } = apiAddress(req, place);
  return `${origin} ${origin.replace(/^http/, 'ws')}`;
}
