import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useClient } from 'urql';
import { useLocation, useSearch } from 'wouter';
import { keptHere } from '../navigation/visits.ts';
import { pageTitle } from '../pages.ts';

const PLACE = 'place on the page';
/** Pages are as high as they were when their answers have come, which most are known of; who scrolls meanwhile is not held back. */
const MOST_FRAMES = 60;

/**
 * At the change of the page: the window has its name, and what it stands in has the focus, which tells of it, and is at its top,
 * or where it was left for who comes back by the history. Returns its name.
 */
export function usePageChange(main: RefObject<HTMLElement | null>): string {
  const [path] = useLocation();
  const title = pageTitle(path, useSearch());
  useEffect(() => {
    document.title = `${title} · ocr-router console`;
  }, [title]);
  const client = useClient();
  const shown = useRef(path);
  useLayoutEffect(() => {
    const place = main.current;
    if (shown.current === path || place === null) return;
    shown.current = path;
    place.focus({ preventScroll: true });
    return scrollTo(place, (keptHere(client).get(PLACE) as number | undefined) ?? 0); // as: kept below
  }, [path, main, client]);
  useEffect(() => {
    const place = main.current;
    const keep = () => void keptHere(client).set(PLACE, place?.scrollTop);
    place?.addEventListener('scroll', keep, { passive: true });
    return () => place?.removeEventListener('scroll', keep);
  }, [main, client]);
  return title;
}

/** Scrolls as far as it goes, and on while what is scrolled grows; answers what ends that. */
function scrollTo(place: HTMLElement, topPx: number): () => void {
  let [frame, left] = [0, MOST_FRAMES];
  const step = (): void => {
    place.scrollTo(0, topPx);
    left -= 1;
    if (place.scrollTop < Math.floor(topPx) && left > 0) frame = requestAnimationFrame(step);
  };
  step();
  const stop = () => cancelAnimationFrame(frame);
  for (const event of ['wheel', 'keydown', 'pointerdown'])
    place.addEventListener(event, stop, { once: true, passive: true });
  return stop;
}
