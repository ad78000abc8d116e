import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { RequestsChangedDocument } from '../documents.generated.ts';
import { onReconnected } from '../graphql/reconnections.ts';

/** How long changes gather: calls of a login are counted. */
const GATHER_MS = 2000;

/** Calls back with the ids of the account's requests that have changed; with null when any of them may have. */
export function useAccountChanges(onChange: (ids: readonly string[] | null) => void): void {
  const client = useClient();
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      timer = undefined;
      const ids = [...changed];
      changed.clear();
      latest.current(ids);
    };
    const events = client.subscription(RequestsChangedDocument, {}).subscribe(({ data }) => {
      if (!data) return;
      changed.add(data.requestsChanged.requestId);
      timer ??= setTimeout(tell, GATHER_MS);
    });
    const stop = onReconnected(() => latest.current(null));
    return () => {
      clearTimeout(timer);
      stop();
      events.unsubscribe();
    };
  }, [client]);
}
