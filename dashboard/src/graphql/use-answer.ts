import { useCallback, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, type UseQueryArgs, type UseQueryState, useQuery } from 'urql';

type Question<Data, Variables extends AnyVariables> = UseQueryArgs<Variables, Data> & {
  readonly query: TypedDocumentNode<Data, Variables>;
};

type Answered<Data, Variables extends AnyVariables> = Pick<
  UseQueryState<Data, Variables>,
  'data' | 'error' | 'fetching'
>;

/** A query, and how to ask again. When asking again fails, what was known stays, beside the error. */
export function useAnswer<Data, Variables extends AnyVariables>(
  question: Question<Data, Variables>,
): readonly [result: Answered<Data, Variables>, reload: () => void] {
  const [{ data, error, fetching, operation }, load] = useQuery<Data, Variables>(question);
  const known = useRef<{ key: number | undefined; data: Data } | null>(null);
  const key = operation?.key;
  if (data) known.current = { key, data };
  const kept = known.current !== null && known.current.key === key ? known.current.data : undefined;
  const reload = useCallback(() => load({ requestPolicy: 'network-only' }), [load]);
  return [{ data: data ?? kept, error, fetching }, reload];
}
