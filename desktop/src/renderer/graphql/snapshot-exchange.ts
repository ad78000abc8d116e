import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import {
  type Exchange,
  getOperationName,
  makeResult,
  mapExchange,
  type Operation,
  type OperationResult,
  stringifyVariables,
} from 'urql';
import type { Snapshots } from './snapshots.ts';

/** In the context of a query whose variables hold the present time: what its snapshot is kept by instead of them. */
export const SNAPSHOT_OF = 'snapshotOf';

/** Keeps the answer of each query, and gives it instead of the error when the gateway cannot be reached. */
export function snapshotExchange(snapshots: Snapshots): Exchange {
  return mapExchange({
    onResult: (result) => {
      const { operation, data, error, stale } = result;
      if (operation.kind !== 'query') return undefined;
      if (error?.networkError) return fallBack(result, snapshots);
      // A full or forbidden database costs the snapshot, never the page.
      if (data && !error && !stale) snapshots.save(keyOf(operation), data).catch(() => {});
      return undefined;
    },
  });
}

async function fallBack(result: OperationResult, snapshots: Snapshots): Promise<OperationResult> {
  const snapshot = await snapshots.load(keyOf(result.operation)).catch(() => undefined);
  if (snapshot === undefined) return result;
  const extensions = { [SNAPSHOT_AT]: snapshot.savedAtMs };
  return makeResult(result.operation, { data: snapshot.data, extensions, hasNext: false });
}

/** Name and variables: the same from one start of the console to the next. */
function keyOf({ query, variables, context }: Operation): string {
  const { snapshotOf } = context as typeof context & { readonly [SNAPSHOT_OF]?: object }; // as the asking page put it there
  return `${getOperationName(query) ?? ''} ${stringifyVariables(snapshotOf ?? variables)}`;
}
