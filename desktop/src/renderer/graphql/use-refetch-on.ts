import { useEffect, useRef } from 'react';
import { type TypedDocumentNode, useSubscription } from 'urql';

interface RefetchOptions {
  readonly pause?: boolean;
  /** A storm of events asks once in so many milliseconds. */
  readonly everyMs?: number;
}

/** Asks again when a subscription says that something has changed; its own data is not looked at. */
export function useRefetchOn<Data>(
  document: TypedDocumentNode<Data, Record<string, never>>,
  refetch: () => void,
  { pause = false, everyMs = 2000 }: RefetchOptions = {},
): void {
  const latest = useRef(refetch);
  latest.current = refetch;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const first = useRef(true);

  useSubscription<Data, null, Record<string, never>>({ query: document, variables: {}, pause }, () => {
    // These subscriptions begin with the present state, which the query has just brought.
    if (first.current) {
      first.current = false;
      return null;
    }
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, everyMs);
    return null;
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
}
