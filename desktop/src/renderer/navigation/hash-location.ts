import { useSyncExternalStore } from 'react';

/**
 * Path and search both stand behind the `#`, so that an address works under any protocol and can be copied whole.
 * The time range goes along from page to page, unless the new address names its own.
 */
export function useHashLocation(): [string, typeof navigate] {
  return [useSyncExternalStore(subscribe, hashPath), navigate];
}
useHashLocation.hrefs = (href: string): string => `#${href}`;

/** The part behind `?` of the hash. */
export function useHashSearch(): string {
  return useSyncExternalStore(subscribe, hashSearch);
}

/** Opens an address of the console, such as `/requests?status=failed`. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const [path, search = ''] = to.split('?');
  const parameters = new URLSearchParams(search);
  const range = new URLSearchParams(hashSearch()).get('range');
  if (range !== null && !parameters.has('range')) parameters.set('range', range);
  const tail = parameters.size > 0 ? `?${parameters}` : '';
  const address = `#${path}${tail}`;
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState({ visit: crypto.randomUUID() }, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The place in the history that the window is at; it stays the same while its address is changed in place. */
export function visitId(): string {
  const { visit } = (history.state ?? {}) as { readonly visit?: unknown }; // this file's, or that of no one
  if (typeof visit === 'string') return visit;
  const fresh = crypto.randomUUID();
  history.replaceState({ visit: fresh }, '');
  return fresh;
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  addEventListener('popstate', onChange);
  return () => {
    removeEventListener('hashchange', onChange);
    removeEventListener('popstate', onChange);
  };
}

/** The page's part of the address. */
export function hashPath(): string {
  return location.hash.slice(1).split('?')[0] || '/';
}

function hashSearch(): string {
  return location.hash.split('?')[1] ?? '';
}
