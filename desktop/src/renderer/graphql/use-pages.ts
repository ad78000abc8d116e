import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useClient } from 'urql';
import { onReconnection } from '../bridge/connection.tsx';
import { useKept } from '../navigation/visits.ts';

interface PageOf<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

interface Listed<Row> {
  /** The variables whose answer it is, as JSON; null before the first one. */
  readonly of: string | null;
  readonly rows: readonly Row[];
  /** Where the next page begins; null before the first page and after the last. */
  readonly after: string | null;
  readonly loading: boolean;
  readonly failure: CombinedError | undefined;
  /** When the last snapshot among the rows was taken; null where all rows come from the service. */
  readonly snapshotAtMs: number | null;
}

/** What a page shows of a paged query. */
export interface ListedPages<Row> extends Omit<Listed<Row>, 'of' | 'after'> {
  /** Whether the rows are those of these variables: those of the ones before stay until their own have come. */
  readonly isCurrent: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

/** Rows that are asked for anew for who comes back to them; of a longer list all stay as they were left. */
const MOST_REFRESHED = 1000;

const NOTHING = { of: null, rows: [], after: null, loading: true, failure: undefined, snapshotAtMs: null };

/**
 * The rows of a paged query, page after page as they are scrolled to; what could not be had is asked for again once the gateway
 * is reached again. Keep `pageOf` outside the component.
 */
export function usePages<Data, Variables extends AnyVariables & { readonly after?: string | null }, Row>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  pageOf: (data: Data) => PageOf<Row>,
): ListedPages<Row> {
  const client = useClient();
  const asked = JSON.stringify(variables);
  const [left, keep] = useKept<Listed<Row>>(document);
  const [listed, setListed] = useState<Listed<Row>>(() => (left?.of === asked ? { ...left, loading: false } : NOTHING));
  useEffect(() => keep(listed), [keep, listed]);
  /** Answers to an older question are dropped. */
  const question = useRef(0);
  /** Reconnections so far; and as of the latest question, so that one during a question is not missed. */
  const [reconnections, setReconnections] = useState(0);
  const latestReconnection = useRef(0);
  const askedAtReconnection = useRef(0);
  useEffect(() => onReconnection(() => setReconnections(++latestReconnection.current)), []);

  const ask = useCallback(
    async (after: string | null, number: number) => {
      askedAtReconnection.current = latestReconnection.current;
      const all = { ...JSON.parse(asked), after } as Variables; // what `asked` was made of
      const { data, error, extensions } = await client
        .query(document, all, { requestPolicy: 'network-only' })
        .toPromise();
      if (number !== question.current) return;
      const snapshotAt = extensions?.[SNAPSHOT_AT];
      const page = data && pageOf(data);
      const next = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      const keptAt = (now: Listed<Row>) => (after === null ? null : now.snapshotAtMs);
      setListed((now) => ({
        of: asked,
        rows: [...(after === null ? [] : now.rows), ...(page?.nodes ?? [])],
        after: page ? next : after,
        loading: false,
        failure: error,
        snapshotAtMs: typeof snapshotAt === 'number' ? snapshotAt : keptAt(now),
      }));
    },
    [client, document, asked, pageOf],
  );
  const reload = useCallback(() => {
    question.current += 1;
    setListed((now) => ({ ...now, loading: true, failure: undefined }));
    void ask(null, question.current);
  }, [ask]);
  /** Asks for as many rows as there are; they stay until all have come. */
  const refresh = useCallback(
    async (wanted: number) => {
      question.current += 1;
      const number = question.current;
      setListed((now) => ({ ...now, loading: true }));
      const again = await rowsAgain(wanted, async (after) => {
        const all = { ...JSON.parse(asked), after } as Variables; // what `asked` was made of
        const { data, extensions } = await client.query(document, all, { requestPolicy: 'network-only' }).toPromise();
        const isOfNow = number === question.current && typeof extensions?.[SNAPSHOT_AT] !== 'number';
        return data && isOfNow ? pageOf(data) : null;
      });
      if (number !== question.current) return;
      setListed((now) => ({ ...now, ...again, loading: false }));
    },
    [client, document, asked, pageOf],
  );
  const leftRows = useRef(listed.rows.length);
  useEffect(() => {
    const wanted = leftRows.current;
    leftRows.current = 0;
    if (wanted === 0) reload();
    else if (wanted <= MOST_REFRESHED) void refresh(wanted);
  }, [reload, refresh]);

  const { rows, after, loading, failure, snapshotAtMs } = listed;
  const next = useCallback(() => {
    if (loading || after === null) return;
    setListed((now) => ({ ...now, loading: true, failure: undefined }));
    void ask(after, question.current);
  }, [ask, loading, after]);
  const isIncomplete = failure !== undefined || snapshotAtMs !== null;
  const retry = snapshotAtMs === null && after !== null ? next : reload;
  useEffect(() => {
    if (isIncomplete && !loading && askedAtReconnection.current !== reconnections) retry();
  }, [isIncomplete, loading, reconnections, retry]);

  const hasMore = after !== null && failure === undefined;
  const more = useCallback(() => {
    if (hasMore) next();
  }, [hasMore, next]);
  const isCurrent = listed.of === asked && failure === undefined;
  return { rows, isCurrent, hasMore, loading, failure, snapshotAtMs, more, reload };
}

/** As many rows as are wanted, page by page; null where one cannot be had. */
async function rowsAgain<Row>(wanted: number, pageAfter: (after: string | null) => Promise<PageOf<Row> | null>) {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: PageOf<Row> | null = await pageAfter(after);
    if (page === null) return null;
    rows.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null && rows.length < wanted);
  return { rows, after };
}
