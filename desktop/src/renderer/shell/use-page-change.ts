import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { pageTitle } from '../pages.ts';

/**
 * At the change of the page: the window has its name, and what it stands in has the focus, which tells of it, and is at its top.
 * Returns its name.
 */
export function usePageChange(main: RefObject<HTMLElement | null>): string {
  const [path] = useLocation();
  const title = pageTitle(path, useSearch());
  useEffect(() => {
    document.title = `${title} · ocr-router console`;
  }, [title]);
  const shown = useRef(path);
  useLayoutEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
  return title;
}
