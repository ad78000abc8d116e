import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import { useEffect, useSyncExternalStore } from 'react';
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
import { useOnceHere } from '../navigation/visits.ts';
import { MOST_ASKED, RequestFeed } from './request-feed.ts';
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
  const { feed, snapshotAtMs, open } = useOnceHere('request feed', `${filterSearch} ${hours}`, () =>
    openFeed(client, filterSearch, hours),
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
  // A row does not say how its webhook stands: only the gateway can judge by that.
  const rowsOf = async (ids: readonly string[]) => {
    const { webhook } = filter;
    return (await ask(uncached, { allAccounts: true, ids: [...ids], ...(webhook !== null && { webhook }) })).nodes;
  };
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
    rows: (ids) => rowsOf(ids),
    wanted: (row) => matches(filter, row),
  });
  const changedSince = async (changed: string): Promise<[readonly RequestRowFragment[], boolean]> => {
    const missed = { ...requestFilter({ ...filter, statuses: [] }), changedSince: changed };
    const { nodes, pageInfo } = await ask(uncached, missed);
    return [nodes, !pageInfo.hasNextPage];
  };
  /** To rows that were left: what has come since, and what has become of those that had not ended. */
  const comeBack = async (): Promise<void> => {
    const { rows } = feed.state();
    if (rows.length === 0 || snapshotAtMs !== null) return feed.reload();
    if (cursor !== null) return feed.catchUp(...(await changedSince(cursor)));
    const unfinished = rows.filter(({ finishedAt }) => finishedAt === null).slice(0, MOST_ASKED);
    const ended = unfinished.length > 0 ? await rowsOf(unfinished.map(({ id }) => id)) : [];
    const { nodes, pageInfo } = await ask(uncached, requestFilter(filter));
    const oldest = nodes.at(-1)?.id ?? '';
    feed.catchUp([...nodes, ...ended], !pageInfo.hasNextPage || oldest <= (rows[0]?.id ?? ''));
  };
  let wasOpen = false;
  const open = (): (() => void) => {
    if (wasOpen) void comeBack().catch(() => feed.reload());
    else void feed.reload();
    wasOpen = true;
    const events = client.subscription(RequestFeedDocument, {}).subscribe(({ data }) => {
      if (!data) return;
      cursor = data.jobFeed.cursor;
      feed.note(data.jobFeed.requestId, matches(filter, data.jobFeed));
    });
    const catchUp = async () => {
      if (cursor === null || snapshotAtMs !== null) return feed.reload();
      feed.catchUp(...(await changedSince(cursor)));
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
