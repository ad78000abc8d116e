import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { RequestsChangedDocument } from '../documents.generated.ts';
import { onReconnected } from '../graphql/reconnections.ts';

/** How long changes gather: calls of a login are counted. */
const GATHER_MS = 2000;
const AGAIN_MS = 5000;

/**
 * Calls back with the ids of the account's requests that have changed; with null when any of them may have. An answer of
 * false says that they could not be looked at now: they are told again.
 */
export function useAccountChanges(onChange: (ids: readonly string[] | null) => Promise<boolean>): void {
  const client = useClient();
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const tell = async (): Promise<void> => {
      timer = undefined;
      const ids = [...changed];
      changed.clear();
      if ((await latest.current(ids)) || isOver) return;
      for (const id of ids) changed.add(id);
      timer ??= setTimeout(() => void tell(), AGAIN_MS);
    };
    const events = client.subscription(RequestsChangedDocument, {}).subscribe(({ data }) => {
      if (!data) return;
      changed.add(data.requestsChanged.requestId);
      timer ??= setTimeout(() => void tell(), GATHER_MS);
    });
    const stop = onReconnected(() => void latest.current(null));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
      events.unsubscribe();
    };
  }, [client]);
}
