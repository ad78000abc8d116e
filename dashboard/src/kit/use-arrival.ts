import { type RefObject, useLayoutEffect } from 'react';

/** How the next page is come to: by a link, or back to where it was left. Null for the page that the browser opened. */
let way: 'link' | 'return' | null = null;
const byLink = () => {
  way = 'link';
};
// The router sends these two.
addEventListener('pushState', byLink);
addEventListener('replaceState', byLink);
addEventListener('popstate', () => {
  way = 'return';
});

/** At the change of the page: its heading gets the focus, which tells of it, and it begins at its top. */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (way === null) return;
    if (way === 'link') scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    way = null;
  }, [heading]);
}
