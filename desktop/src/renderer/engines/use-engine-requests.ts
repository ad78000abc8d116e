import { useCallback, useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { EngineRequestsDocument, type RequestRowFragment } from '../../documents.generated.ts';

interface Span {
  readonly from: string;
  readonly to: string | null;
}

interface Listed {
  readonly requests: readonly RequestRowFragment[];
  /** Where the next page begins; null before the first page and after the last. */
  readonly after: string | null;
  readonly loading: boolean;
  readonly failure: CombinedError | undefined;
}

const EMPTY: Listed = { requests: [], after: null, loading: true, failure: undefined };

/** The requests of an engine, page after page as they are scrolled to. */
export function useEngineRequests(engine: string, { from, to }: Span) {
  const client = useClient();
  const [listed, setListed] = useState<Listed>(EMPTY);
  /** Answers to an older question are dropped. */
  const question = useRef(0);

  const ask = useCallback(
    async (after: string | null, asked: number) => {
      const { data, error } = await client.query(EngineRequestsDocument, { engine, from, to, after }).toPromise();
      if (asked !== question.current) return;
      setListed((now) => ({
        requests: data ? [...now.requests, ...data.requests.nodes] : now.requests,
        after: data?.requests.pageInfo.hasNextPage ? data.requests.pageInfo.endCursor : null,
        loading: false,
        failure: error,
      }));
    },
    [client, engine, from, to],
  );
  const begin = useCallback(() => {
    question.current += 1;
    setListed(EMPTY);
    void ask(null, question.current);
  }, [ask]);
  useEffect(begin, [begin]);

  const more = useCallback(() => {
    if (listed.loading || listed.after === null) return;
    setListed((now) => ({ ...now, loading: true }));
    void ask(listed.after, question.current);
  }, [ask, listed.loading, listed.after]);
  return { ...listed, more, retry: begin };
}
