import { useCallback, useRef, useState } from 'react';
import { useKept } from './visits.ts';

interface Place {
  readonly topPx: number;
  /** The marked row. */
  readonly marked: string | null;
}

const TOP: Place = { topPx: 0, marked: null };

/** Where a list was left, for a `DataTable`: how far it was scrolled, and which row was marked. */
export function useListPlace() {
  const [kept, keep] = useKept<Place>('place in the list');
  const { topPx } = kept ?? TOP;
  const place = useRef(kept ?? TOP);
  const [marked, setMarked] = useState(place.current.marked);
  const change = useCallback(
    (part: Partial<Place>) => {
      place.current = { ...place.current, ...part };
      keep(place.current);
    },
    [keep],
  );
  return {
    initialTopPx: topPx,
    /** For another scrolled place than a `DataTable`: its `ref`. */
    restore: useCallback((place: HTMLElement | null) => void place?.scrollTo(0, topPx), [topPx]),
    marked,
    onScroll: useCallback((nowPx: number) => change({ topPx: nowPx }), [change]),
    mark: useCallback(
      (id: string) => {
        setMarked(id);
        change({ marked: id });
      },
      [change],
    ),
  };
}
