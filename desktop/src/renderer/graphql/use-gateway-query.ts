import { type AnyVariables, type TypedDocumentNode, useQuery } from 'urql';
import { SNAPSHOT_AT } from './snapshot-exchange.ts';

export interface GatewayAnswer<Data> {
  readonly data: Data | undefined;
  readonly failure: Parameters<typeof import('@ocr-router/ui/graphql/failure-text.ts').failureText>[0] | undefined;
  readonly loading: boolean;
  /** When the data is of, where it comes from the last snapshot instead of the gateway. */
  readonly snapshotAtMs: number | null;
  readonly refetch: () => void;
}

/** A query of the gateway: shown from the cache at once, asked anew, and from the last snapshot when offline. */
export function useGatewayQuery<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false }: { readonly pause?: boolean } = {},
): GatewayAnswer<Data> {
  // A generic `Variables` hides from urql's types that its variables are all there.
  const [result, execute] = useQuery({ query, variables, pause } as Parameters<typeof useQuery<Data, Variables>>[0]);
  const snapshotAt = result.extensions?.[SNAPSHOT_AT];
  return {
    data: result.data,
    failure: result.error,
    loading: result.fetching || result.stale,
    snapshotAtMs: typeof snapshotAt === 'number' ? snapshotAt : null,
    refetch: () => execute({ requestPolicy: 'network-only' }),
  };
}
