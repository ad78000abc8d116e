import { escapeHtml } from './escape-html.ts';

export interface SmallPage {
  readonly nonce: string;
  readonly title: string;
  readonly message: string;
  /** The call's `X-Request-Id`, by which the log names the failure. */
  readonly reference: string;
  /** HTML between the message and the way back. */
  readonly content?: string;
}

/** A page that looks like the dashboard's but needs no scripts: for a browser that comes from elsewhere and cannot go on. */
export function smallPage({ nonce, title, message, reference, content = '' }: SmallPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · ocr-router</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(message)}</p>
      ${content}
      <p><a class="button" href="/">Back to the sign-in page</a></p>
      <p class="reference">Reference for the operator: ${escapeHtml(reference)}</p>
    </main>
  </body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; }
body {
  display: flex; align-items: center; justify-content: center; min-height: 100dvh; margin: 0; padding: 24px 16px;
  box-sizing: border-box; font: 0.875rem/1.5 system-ui, sans-serif;
  background: light-dark(#f4f6f9, #11151d); color: light-dark(#1a2130, #d5dae3);
}
main {
  max-width: 400px; padding: 28px 24px; border: 1px solid light-dark(#dde2ea, #2b3342); border-radius: 8px;
  background: light-dark(#ffffff, #171c26);
}
h1 { margin: 0; font-size: 1.125rem; }
.button {
  display: block; padding: 8px 16px; border-radius: 4px; background: #3a5fb6; color: #fff; font-weight: 600;
  text-align: center; text-decoration: none;
}
form { display: flex; flex-direction: column; gap: 8px; margin: 14px 0; }
input {
  padding: 8px; border: 1px solid light-dark(#b9c2cf, #414b5e); border-radius: 4px; font: inherit; color: inherit;
  background: light-dark(#ffffff, #11151d);
}
button { padding: 8px 16px; border: 0; border-radius: 4px; background: #3a5fb6; color: #fff; font: inherit; font-weight: 600; }
form ~ p .button { background: none; color: light-dark(#2c51a3, #8fb0ff); }
[role='alert'] { margin: 0; color: light-dark(#c0232c, #ff7b72); }
.reference { margin-bottom: 0; color: light-dark(#56606f, #98a2b3); font-size: 0.75rem; overflow-wrap: anywhere; }
`;
