import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { ConnectionState } from '../../shared/channels.ts';
import { bridge } from './bridge.ts';

const START: ConnectionState = {
  state: 'connecting',
  since: new Date().toISOString(),
  retryAt: null,
  roundTripMs: null,
};

const Connection = createContext<ConnectionState>(START);

/** Keeps the latest `connection.state` for the tree below. */
export function ConnectionProvider({ children }: { readonly children: ReactNode }) {
  const state = useSyncExternalStore(connection.subscribe, connection.now);
  return <Connection value={state}>{children}</Connection>;
}

/** How the gateway is reached now. */
export function useConnection(): ConnectionState {
  return useContext(Connection);
}

/** The same outside of React. */
const connection = openConnection();

function openConnection() {
  let state = START;
  const listeners = new Set<() => void>();
  bridge.on('connection.state', (next) => {
    state = next;
    for (const listener of listeners) listener();
  });
  return {
    now: (): ConnectionState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Calls back whenever the gateway is reached again. Returns how to stop that. */
export function onReconnection(onLive: () => void): () => void {
  let before = connection.now().state;
  return connection.subscribe(() => {
    const { state } = connection.now();
    if (state === 'live' && before !== 'live') onLive();
    before = state;
  });
}
