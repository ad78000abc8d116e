import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { type AccountLineFragment, AccountsDocument } from '../../documents.generated.ts';

interface Listed {
  readonly accounts: readonly AccountLineFragment[];
  /** Where the next page begins; null after the last. */
  readonly after: string | null;
  readonly loading: boolean;
  readonly failure: CombinedError | undefined;
  readonly snapshotAtMs: number | null;
}

const EMPTY: Listed = { accounts: [], after: null, loading: true, failure: undefined, snapshotAtMs: null };

/** Accounts by their addresses, page after page as they are scrolled to. */
export function useAccounts(search: string, owing: boolean) {
  const client = useClient();
  const [listed, setListed] = useState<Listed>(EMPTY);
  /** Answers to an older question are dropped. */
  const question = useRef(0);

  const ask = useCallback(
    async (after: string | null, asked: number) => {
      const variables = { search: search || null, owing, after };
      const { data, error, extensions } = await client
        .query(AccountsDocument, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (asked !== question.current) return;
      const savedAt = extensions?.[SNAPSHOT_AT];
      setListed((now) => ({
        accounts: [...(after === null ? [] : now.accounts), ...(data?.accounts.nodes ?? [])],
        after: data?.accounts.pageInfo.hasNextPage ? (data.accounts.pageInfo.endCursor ?? null) : null,
        loading: false,
        failure: error,
        snapshotAtMs: typeof savedAt === 'number' ? savedAt : null,
      }));
    },
    [client, search, owing],
  );
  const reload = useCallback(() => {
    question.current += 1;
    setListed((now) => ({ ...now, loading: true, failure: undefined }));
    void ask(null, question.current);
  }, [ask]);
  useEffect(reload, [reload]);

  const more = useCallback(() => {
    if (listed.loading || listed.after === null) return;
    setListed((now) => ({ ...now, loading: true }));
    void ask(listed.after, question.current);
  }, [ask, listed.loading, listed.after]);
  return { ...listed, more, reload };
}
