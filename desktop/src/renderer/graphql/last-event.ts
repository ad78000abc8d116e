import { useSyncExternalStore } from 'react';
import { bridge } from '../bridge/bridge.ts';

let lastEventAtMs: number | null = null;
const listeners = new Set<() => void>();

bridge.on('graphql.event', () => {
  lastEventAtMs = Date.now();
  for (const listener of listeners) listener();
});

/** When a subscription last sent something; null before the first time. */
export function useLastEventAtMs(): number | null {
  return useSyncExternalStore(subscribe, () => lastEventAtMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
