import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { WallFilter } from './wall-engine.ts';

type Change = Partial<Record<'q' | 'provider' | 'state' | 'pdf' | 'view', string | null>>;

/** The filter of the wall, in the address. */
export function useWallFilter(): [WallFilter, (change: Change) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filter = useMemo(() => {
    const parameters = new URLSearchParams(search);
    return {
      text: parameters.get('q') ?? '',
      provider: parameters.get('provider'),
      state: parameters.get('state'),
      nativePdf: parameters.get('pdf') === 'native',
    };
  }, [search]);
  return [
    filter,
    (change) => {
      const parameters = new URLSearchParams(search);
      for (const [name, value] of Object.entries(change)) {
        if (value) parameters.set(name, value);
        else parameters.delete(name);
      }
      navigate(parameters.size > 0 ? `${path}?${parameters}` : path, { replace: true });
    },
  ];
}
