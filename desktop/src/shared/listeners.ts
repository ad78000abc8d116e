import type { EventName, Events } from './channels.ts';

type Listener<Name extends EventName> = (payload: Events[Name]) => void;

/** What a bridge needs of events on the page's side. */
export interface Listeners {
  on<Name extends EventName>(event: Name, listener: Listener<Name>): () => void;
  emit<Name extends EventName>(event: Name, payload: Events[Name]): void;
}

/** Who listens to which event. A late listener gets the state of the connection at once. */
export function listeners(): Listeners {
  const sets = new Map<EventName, Set<Listener<EventName>>>();
  let state: Events['connection.state'] | null = null;
  return {
    on: (event, listener) => {
      const set = sets.get(event) ?? new Set();
      sets.set(event, set);
      const known = listener as Listener<EventName>; // it is only ever given payloads of `event`
      set.add(known);
      const now = state;
      if (event === 'connection.state' && now) queueMicrotask(() => set.has(known) && known(now));
      return () => set.delete(known);
    },
    emit: (event, payload) => {
      if (event === 'connection.state') state = payload as Events['connection.state']; // by its name
      for (const listener of sets.get(event) ?? []) listener(payload);
    },
  };
}
