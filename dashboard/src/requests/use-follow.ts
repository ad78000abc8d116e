import { useEffect, useRef } from 'react';
import { useSubscription } from 'urql';
import { RequestChangedDocument } from '../documents.generated.ts';

interface Following {
  /** Nothing changes any more. */
  readonly isOver: boolean;
  readonly onChange: () => void;
}

/** Tells of every change of a request that has not ended; after a lost connection, of how it is then. */
export function useFollow(id: string, { isOver, onChange }: Following): void {
  const [{ data }] = useSubscription({ query: RequestChangedDocument, variables: { id }, pause: isOver });
  const latest = useRef(onChange);
  latest.current = onChange;
  const cursor = data?.requestChanged.cursor;
  useEffect(() => {
    if (cursor !== undefined) latest.current();
  }, [cursor]);
}
