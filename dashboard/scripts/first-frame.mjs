// The page by itself, as a plugin of Vite: the frame's styles stand in it, all others come behind what it shows, and what stands at
// the head of each page is left beside it for the server, which knows the address.
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Styles stand before it: those that the program makes as it runs come later, and win. */
const ROOT = '<div id="root"></div>';
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g;

export function firstFrame() {
  return {
    name: 'first-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const sheets = html.match(STYLESHEET) ?? [];
        return html
          .replace(STYLESHEET, '')
          .replace('<style></style>', () => `<style nonce="%NONCE%">${frameStyles()}</style>`)
          .replace(ROOT, () => [...sheets.map((sheet) => sheet.trim()), ROOT].join('\n    '));
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'page-heads.json', source: read('../src/kit/page-heads.json') });
    },
  };
}

/** The rules of the frame, behind the colours of the theme that they name. */
function frameStyles() {
  const rules = read('../src/shell/first-frame.css');
  const theme = read('../../ui/src/theme/theme.css');
  const named = [...new Set(rules.match(/--[\w-]+/g))];
  const colours = named.map((name) => theme.match(new RegExp(`${name}: [^;]+;`))[0]);
  return `:root{${colours.join('')}}${rules}`.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
}
