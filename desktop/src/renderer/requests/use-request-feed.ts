import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Client, useClient } from 'urql';
import {
  RequestFeedDocument,
  type RequestFilter,
  type RequestRowFragment,
  RequestsDocument,
} from '../../documents.generated.ts';
import { onReconnection } from '../bridge/connection.tsx';
import { SNAPSHOT_OF } from '../graphql/snapshot-exchange.ts';
import { uncached } from '../graphql/uncached.ts';
import { RequestFeed } from './request-feed.ts';
import { matches, readFilter, requestFilter, withinHours } from './request-filter.ts';

const PAGE_ROWS = 100;

export interface OpenFeed {
  readonly feed: RequestFeed<RequestRowFragment>;
  /** When the first page is of, where it is the last snapshot; null while it is of now. */
  readonly snapshotAtMs: () => number | null;
  readonly open: () => () => void;
}

/** The live feed that the filter of this search asks for, of the last hours where it names no time. */
export function useRequestFeed(filterSearch: string, hours: number) {
  const client = useClient();
  const { feed, snapshotAtMs, open } = useMemo(
    () => openFeed(client, filterSearch, hours),
    [client, filterSearch, hours],
  );
  useEffect(open, [open]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  return { feed, state, snapshotAtMs: snapshotAtMs() };
}

function openFeed(client: Client, filterSearch: string, hours: number): OpenFeed {
  const named = readFilter(filterSearch);
  /** As of the newest page: the hours go on, and what is listed stays. */
  let filter = withinHours(named, hours, Date.now());
  let snapshotAtMs: number | null = null;
  let cursor: string | null = null;
  const feed = new RequestFeed<RequestRowFragment>({
    page: async (after) => {
      if (after === null) filter = withinHours(named, hours, Date.now());
      const snapshotOf = { filterSearch, hours, after };
      const { nodes, pageInfo, searchedTo, savedAtMs } = await ask(client, requestFilter(filter), {
        after,
        snapshotOf,
      });
      snapshotAtMs = savedAtMs;
      return { rows: nodes, endCursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage, searchedTo };
    },
    // A row does not say how its webhook stands: only the gateway can judge by that.
    rows: async (ids) => {
      const { webhook } = filter;
      return (await ask(uncached, { allAccounts: true, ids: [...ids], ...(webhook !== null && { webhook }) })).nodes;
    },
    wanted: (row) => matches(filter, row),
  });
  const open = (): (() => void) => {
    void feed.reload();
    const events = client.subscription(RequestFeedDocument, {}).subscribe(({ data }) => {
      if (!data) return;
      cursor = data.jobFeed.cursor;
      feed.note(data.jobFeed.requestId, matches(filter, data.jobFeed));
    });
    const catchUp = async () => {
      if (cursor === null || snapshotAtMs !== null) return feed.reload();
      const missed = { ...requestFilter({ ...filter, statuses: [] }), changedSince: cursor };
      const { nodes, pageInfo } = await ask(uncached, missed);
      feed.catchUp(nodes, !pageInfo.hasNextPage);
    };
    const stop = onReconnection(() => void catchUp().catch(() => {})); // failures show where the feed is asked next
    return () => {
      stop();
      events.unsubscribe();
      feed.close();
    };
  };
  return { feed, snapshotAtMs: () => snapshotAtMs, open };
}

interface Asking {
  readonly after?: string | null;
  /** What the answer is kept by for the time without a connection. */
  readonly snapshotOf?: object;
}

async function ask(client: Client, filter: RequestFilter, asking: Asking = {}) {
  const { data, error, extensions } = await requestsOf(client, filter, asking);
  if (error) throw error;
  if (!data) throw new Error('The gateway sent no answer.');
  const savedAt = extensions?.[SNAPSHOT_AT];
  return { ...data.requests, savedAtMs: typeof savedAt === 'number' ? savedAt : null };
}

function requestsOf(client: Client, filter: RequestFilter, { after = null, snapshotOf }: Asking) {
  const variables = { filter, first: PAGE_ROWS, after };
  const context = { requestPolicy: 'network-only' as const, [SNAPSHOT_OF]: snapshotOf };
  return client.query(RequestsDocument, variables, context).toPromise();
}
