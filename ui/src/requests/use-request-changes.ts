import { useEffect, useRef } from 'react';
import { type TypedDocumentNode, useSubscription } from 'urql';

interface Changed {
  readonly requestChanged: { readonly cursor: string };
}

interface Following {
  readonly id: string;
  /** While nothing can change, or nothing can be heard. */
  readonly pause: boolean;
  readonly onChange: () => void;
}

/** Calls back at every change of a request; after a lost connection, with how it is then. */
export function useRequestChanges(
  document: TypedDocumentNode<Changed, { id: string }>,
  { id, pause, onChange }: Following,
): void {
  const [{ data }] = useSubscription({ query: document, variables: { id }, pause });
  const latest = useRef(onChange);
  latest.current = onChange;
  const cursor = data?.requestChanged.cursor;
  useEffect(() => {
    if (cursor !== undefined) latest.current();
  }, [cursor]);
}
