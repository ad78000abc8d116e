import type { IncomingMessage } from 'node:http';
import { type CookieRules, cookieRules } from '../../accounts/login/session-cookie.ts';
import { AppError } from '../../platform/errors.ts';

/** The dashboard's address as the browser of a call knows it. */
export interface Place {
  readonly url: URL;
  readonly cookies: CookieRules;
}

/** The dashboard's address: the configured one, else that of the call's `Host`. */
export function placeOf(req: IncomingMessage, dashboardUrl: URL | null): Place {
  const url = dashboardUrl ?? parse(`http://${req.headers.host ?? ''}`);
  if (!url) throw new AppError('invalid_request', 'The header Host is not a host name.');
  return { url, cookies: cookieRules(url) };
}

/**
 * Whether a call that changes something comes from the dashboard's own pages. Browsers say so in headers that no script can set;
 * a call without them is refused.
 */
export function isFromDashboard(req: IncomingMessage, dashboardUrl: URL | null): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return req.headers['sec-fetch-site'] === 'same-origin';
  if (dashboardUrl) return origin === dashboardUrl.origin;
  // Behind a proxy that ends TLS the scheme is not known here; the host is.
  const from = parse(origin);
  return (
    from !== null &&
    from.origin === origin &&
    host !== undefined &&
    from.host === parse(`${from.protocol}//${host}`)?.host
  );
}

/** The answer to a call of another site. */
export function foreign(): AppError {
  return new AppError('insufficient_scope', 'This call must come from the dashboard itself.');
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
