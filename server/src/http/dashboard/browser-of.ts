import type { Request, Response } from 'express';
import type { Browser } from '../../accounts/callers/browser.ts';
import { readSessionCookie, sessionCookieName, setCookie } from '../../accounts/login/session-cookie.ts';
import type { Place } from './place.ts';

/** The browser behind a call: its address, its session cookie, and functions that set or clear the cookie. */
export function browserOf(req: Request, res: Response, { url, cookies }: Place): Browser {
  const name = sessionCookieName(cookies);
  return {
    address: req.ip ?? 'unknown',
    home: url,
    userAgent: req.headers['user-agent'] ?? null,
    secret: readSessionCookie(req.headers.cookie, cookies),
    keep(secret, expiresAt) {
      const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
      res.appendHeader('Set-Cookie', setCookie(name, secret, seconds, cookies));
    },
    forget: () => void res.appendHeader('Set-Cookie', setCookie(name, '', 0, cookies)),
  };
}
