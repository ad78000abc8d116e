import { protocol, type Session } from 'electron';
import type { ConsoleFiles } from '../core/page/console-files.ts';
import { contentPolicy, PAGE_HEADERS } from '../core/page/policy.ts';
import { isOwnAddress, SCHEME } from './page-address.ts';

/** Before the app is ready, as Electron asks. */
export function claimScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
}

/** The built renderer, from memory, under a policy with a nonce of this answer. */
export function servePage(session: Session, files: ConsoleFiles): void {
  session.protocol.handle(SCHEME, ({ url, method }) => {
    if (!isOwnAddress(url) || method !== 'GET') return new Response(null, { status: 403, headers: PAGE_HEADERS });
    const { pathname } = new URL(url);
    if (pathname === '/') return page(files);
    const file = files.get(pathname);
    if (!file) return new Response(null, { status: 404, headers: PAGE_HEADERS });
    return new Response(new Uint8Array(file.bytes), { headers: { ...PAGE_HEADERS, 'content-type': file.type } });
  });
}

function page(files: ConsoleFiles): Response {
  const { html, nonce } = files.page();
  const headers = {
    ...PAGE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy({ nonce }),
  };
  return new Response(html, { headers });
}
