import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

/** One parameter of the address, and how to change it; null takes it away. Moves within a page leave no history. */
export function useSearchParam(name: string): [string | null, (value: string | null) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const set = useCallback(
    (value: string | null) => {
      const parameters = new URLSearchParams(search);
      if (value === null || value === '') parameters.delete(name);
      else parameters.set(name, value);
      navigate(parameters.size > 0 ? `${path}?${parameters}` : path, { replace: true });
    },
    [name, path, search, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}
