import { useCallback, useRef } from 'react';
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useQuery as useUrqlQuery } from 'urql';

/** When the data of a result is of: an extension that only results from a snapshot have. */
export const SNAPSHOT_AT = 'snapshotAtMs';

/** What a query has to show. */
export interface Answered<Data> {
  /** What was known stays when asking again fails, beside the failure. */
  readonly data: Data | undefined;
  readonly failure: CombinedError | undefined;
  readonly loading: boolean;
  /** When the data is of, where it comes from the last snapshot instead of the service. */
  readonly snapshotAtMs: number | null;
  readonly refetch: () => void;
}

/** A query: shown from the cache at once, asked anew, and again on demand. */
export function useQuery<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false }: { readonly pause?: boolean } = {},
): Answered<Data> {
  // A generic `Variables` hides from urql's types that its variables are all there.
  const question = { query, variables, pause } as Parameters<typeof useUrqlQuery<Data, Variables>>[0];
  const [{ data, error, fetching, stale, extensions, operation }, execute] = useUrqlQuery(question);
  const known = useRef<{ key: number | undefined; data: Data } | null>(null);
  const key = operation?.key;
  if (data) known.current = { key, data };
  const kept = known.current !== null && known.current.key === key ? known.current.data : undefined;
  const snapshotAt = extensions?.[SNAPSHOT_AT];
  return {
    data: data ?? kept,
    failure: error,
    loading: fetching || stale,
    snapshotAtMs: typeof snapshotAt === 'number' ? snapshotAt : null,
    refetch: useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]),
  };
}
