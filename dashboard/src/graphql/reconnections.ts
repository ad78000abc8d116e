const listeners = new Set<() => void>();

/** Calls back each time the socket is there again: what was sent meanwhile is lost. Returns how to stop that. */
export function onReconnected(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says that the socket is there again. */
export function reconnected(): void {
  for (const listener of listeners) listener();
}
