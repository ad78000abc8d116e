import { useEffect, useRef } from 'react';
import { useSearchParam } from './use-search-param.ts';

/** Calls `act` once when the address asks for it (`do=switch`), and takes that out of the address; never without `what`. */
export function useAsked(what: string | undefined, act: () => void): void {
  const [wish, setWish] = useSearchParam('do');
  const latest = useRef(act);
  latest.current = act;
  const isAsked = what !== undefined && wish === what;
  useEffect(() => {
    if (!isAsked) return;
    setWish(null);
    latest.current();
  }, [isAsked, setWish]);
}
