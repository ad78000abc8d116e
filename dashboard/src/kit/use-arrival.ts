import { type RefObject, useLayoutEffect } from 'react';

/** How the next page is come to: by a link, or back to where it was left. Null for the page that the browser opened. */
let way: 'link' | 'return' | null = null;
/** The path of the page that is shown. */
let shown: string | null = null;
const byLink = () => {
  way = 'link';
};
// The router sends these two.
addEventListener('pushState', byLink);
addEventListener('replaceState', byLink);
addEventListener('popstate', () => {
  way = 'return';
});

/** While a page that is gone back to is drawn first: the path of the page before; else null. */
export function returnsFrom(): string | null {
  return way === 'return' ? shown : null;
}

/** At the change of the page: its heading gets the focus, which tells of it, and it begins at its top. */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    shown = location.pathname;
    if (way === null) return;
    if (way === 'link') scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    way = null;
  }, [heading]);
}
