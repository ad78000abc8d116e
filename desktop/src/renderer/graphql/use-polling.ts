import { useEffect, useRef } from 'react';
import { useConnection } from '../bridge/connection.tsx';

/** Asks again every `everyMs`, while the gateway is there and the window can be seen. */
export function usePolling(refetch: () => void, everyMs: number): void {
  const { state } = useConnection();
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => {
    if (state !== 'live') return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [state, everyMs]);
}
