import { useCallback, useEffect, useRef, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { type RequestFilter, type RequestRowFragment, RequestsDocument } from '../documents.generated.ts';
import { returnsFrom } from '../kit/use-arrival.ts';
import { withChanged, withNewest } from './changed-rows.ts';
import { useAccountChanges } from './use-account-changes.ts';

const PAGE_SIZE = 50;
/** Ids that are asked for at once; beyond them the list begins anew. */
const MOST_CHANGED = 100;

export interface RequestPages {
  readonly data: readonly RequestRowFragment[] | undefined;
  /** Whether they are of this filter: those of the one before stay until its own have come. */
  readonly isCurrent: boolean;
  readonly failure: CombinedError | undefined;
  readonly hasMore: boolean;
  /** Where a search for a text has stopped before its page was full; null where it has not. */
  readonly searchedTo: string | null;
  readonly loadMore: () => void;
  readonly refetch: () => void;
}

interface Shown {
  readonly rows: readonly RequestRowFragment[];
  readonly endCursor: string | null;
  readonly hasMore: boolean;
  readonly searchedTo: string | null;
  readonly asked: number;
  /** The filter that chose its rows, as JSON. */
  readonly filterJson: string;
}

/** The list that each session left last: to be there again for who comes back from a request. Nobody sees another's. */
const left = new WeakMap<Client, Shown>();

/** The requests of a filter, page behind page, as they change. Keep the filter in a memo. */
export function useRequestPages(filter: RequestFilter): RequestPages {
  const client = useClient();
  const filterJson = JSON.stringify(filter);
  const [shown, setShown] = useState(() => leftList(client, filterJson));
  const [failure, setFailure] = useState<CombinedError | undefined>(undefined);
  const [round, setRound] = useState(0);
  const loading = useRef(false);
  /** Whether what is shown is as it was left: its newest page is asked for, and what had not ended. */
  const isKept = useRef(shown !== null);

  const load = useCallback(
    async (before: Shown | null, isCurrent: () => boolean) => {
      loading.current = true;
      const variables = { filter, first: PAGE_SIZE, after: before?.endCursor ?? null };
      const answer = await client.query(RequestsDocument, variables, { requestPolicy: 'network-only' });
      if (!isCurrent()) return;
      loading.current = false;
      setFailure(answer.error);
      if (!answer.data) return;
      const { nodes, pageInfo, searchedTo } = answer.data.requests;
      const { endCursor, hasNextPage: hasMore } = pageInfo;
      const page = { rows: nodes, endCursor, hasMore, searchedTo, asked: nodes.length, filterJson };
      const isBelow = isKept.current;
      isKept.current = false;
      setShown((now) => {
        if (before && now) return withPage(now, page, before);
        return isBelow && now?.filterJson === filterJson ? withNewest(now, page) : page;
      });
    },
    [client, filter, filterJson],
  );

  const generation = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round loads again
  useEffect(() => {
    generation.current += 1;
    const mine = generation.current;
    void load(null, () => mine === generation.current);
  }, [load, round]);

  const latest = useRef(shown);
  latest.current = shown;
  useEffect(
    () => () => {
      if (latest.current) left.set(client, latest.current);
    },
    [client],
  );

  const look = async (ids: readonly string[] | null): Promise<boolean> => {
    if (ids === null || ids.length > MOST_CHANGED) {
      setRound((old) => old + 1);
      return true;
    }
    const mine = generation.current;
    const variables = { filter: { ...filter, ids: [...ids] }, first: ids.length, after: null };
    const { data } = await client.query(RequestsDocument, variables, { requestPolicy: 'network-only' });
    if (mine !== generation.current) return true;
    if (data) setShown((now) => now && withChanged(now, ids, data.requests.nodes));
    return data !== undefined;
  };
  useAccountChanges(look);
  const lookAtLeft = useRef(look);
  useEffect(() => {
    const unfinished = latest.current?.rows.filter(({ finishedAt }) => finishedAt === null).map(({ id }) => id) ?? [];
    if (isKept.current && unfinished.length > 0) void lookAtLeft.current(unfinished);
  }, []);

  const loadMore = useCallback(() => {
    if (loading.current || !shown?.hasMore) return;
    const mine = generation.current;
    void load(shown, () => mine === generation.current);
  }, [load, shown]);
  return {
    data: shown?.rows,
    isCurrent: shown?.filterJson === filterJson,
    failure,
    hasMore: shown?.hasMore ?? false,
    searchedTo: shown?.searchedTo ?? null,
    loadMore,
    refetch: useCallback(() => setRound((old) => old + 1), []),
  };
}

function leftList(client: Client, filterJson: string): Shown | null {
  const list = left.get(client);
  return returnsFrom() !== null && list?.filterJson === filterJson ? list : null;
}

/** Rows may have changed while the page was on its way; where the list was cut, another page follows its end. */
function withPage(now: Shown, page: Shown, before: Shown): Shown {
  if (now.endCursor !== before.endCursor) return now;
  return { ...page, rows: [...now.rows, ...page.rows], asked: now.asked + page.asked };
}
