import { isLoopback } from '../callers/loopback.ts';

/** What a cookie of the dashboard's is called and guarded by at an address. */
export interface CookieRules {
  readonly secure: boolean;
}

/**
 * The rules at an address: `__Host-` cookies, which go over https only, everywhere but on plain http on a loopback
 * address, where a browser would drop them.
 */
export function cookieRules(address: URL): CookieRules {
  return { secure: address.protocol !== 'http:' || !isLoopback(address) };
}

export function sessionCookieName({ secure }: CookieRules): string {
  return secure ? '__Host-session' : 'session';
}

/** The value of the session cookie. Where the name has no prefix, one with it is as good: it cannot be planted. */
export function readSessionCookie(header: string | undefined, rules: CookieRules): string | null {
  return readCookie(header, '__Host-session') ?? (rules.secure ? null : readCookie(header, 'session'));
}

export function readCookie(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const mark = part.indexOf('=');
    if (mark > 0 && part.slice(0, mark).trim() === name) return part.slice(mark + 1).trim() || null;
  }
  return null;
}

/** A `Set-Cookie` of ours; without a time the cookie is taken back. */
export function setCookie(name: string, value: string, maxAgeSeconds: number, { secure }: CookieRules): string {
  // Lax: a browser that comes back from an identity provider brings its cookies, a form of another site does not.
  const flags = [`Max-Age=${maxAgeSeconds}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
  return [`${name}=${value}`, ...flags].join('; ');
}
