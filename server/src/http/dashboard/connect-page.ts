import type { Response } from 'express';
import { escapeHtml } from './escape-html.ts';
import { nonceOf } from './page-nonce.ts';
import { smallPage } from './small-page.ts';

export const CONNECT = '/api/login/connect';

/** Sends the page that asks for the password of an existing account whose address a newcomer from the provider has. */
export function sendConnectPage(res: Response, { email, refusal }: { email: string; refusal: string | null }): void {
  const page = smallPage({
    nonce: nonceOf(res),
    title: 'Is this account yours?',
    message:
      `There is an account of ${email} here already, which was made with a password. If it is yours, enter that ` +
      'password this once: your sign-in then opens it. If it is not, ask the operator of this service.',
    reference: String(res.getHeader('X-Request-Id')),
    content: form(refusal),
  });
  // A form of a page without any referrer says nothing of where it comes from.
  res.setHeader('Referrer-Policy', 'same-origin');
  res.status(401).type('html').send(page);
}

function form(refusal: string | null): string {
  const alert = refusal === null ? '' : `<p role="alert">${escapeHtml(refusal)}</p>`;
  return `<form method="post" action="${CONNECT}">
        <label for="password">Password of the account</label>
        <input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required>
        ${alert}
        <button type="submit">Connect and sign in</button>
      </form>`;
}
