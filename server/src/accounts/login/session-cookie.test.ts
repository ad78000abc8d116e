import { describe, expect, it } from 'vitest';
import { cookieRules, readSessionCookie, sessionCookieName, setCookie } from './session-cookie.ts';

describe('the session cookie', () => {
  it.each([
    ['https://dashboard.example.com', '__Host-session'],
    ['https://127.0.0.1:8081', '__Host-session'],
    ['http://dashboard.example.com', '__Host-session'],
    ['http://127.0.0.1.example.com', '__Host-session'],
    ['http://127.0.0.1:8081', 'session'],
    ['http://localhost:8081', 'session'],
    ['http://[::1]:8081', 'session'],
  ])('at %s is %s', (address, name) => {
    expect(sessionCookieName(cookieRules(new URL(address)))).toBe(name);
  });

  it('is read among others', () => {
    expect(readSessionCookie('a=1; __Host-session=abc=; b=2', { secure: true })).toBe('abc=');
    expect(readSessionCookie('a=1;session=abc', { secure: false })).toBe('abc');
    expect(readSessionCookie('xsession=1; session=', { secure: false })).toBe(null);
    expect(readSessionCookie(undefined, { secure: false })).toBe(null);
  });

  it('counts only with its prefix where https is required', () => {
    expect(readSessionCookie('session=planted', { secure: true })).toBe(null);
  });

  it('is for this host, this path and no script', () => {
    expect(setCookie('__Host-session', 'v', 60, { secure: true })).toBe(
      '__Host-session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(setCookie('session', 'v', 60, { secure: false })).not.toContain('Secure');
  });
});
