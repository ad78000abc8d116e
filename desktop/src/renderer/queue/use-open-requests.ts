import { useCallback, useEffect, useRef, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { type OpenRequestFragment, OpenRequestsDocument } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useKept } from '../navigation/visits.ts';

const POLL_MS = 5000;
/** Of each state; what is beyond is on the page Requests. */
const MOST_PAGES = 20;

interface Open {
  readonly requests: readonly OpenRequestFragment[];
  /** Whether there are more of a state than were asked for. */
  readonly isCut: boolean;
}

/** What is at work and what waits, read anew every few seconds; `more` reads a further page of each state. */
export function useOpenRequests() {
  const client = useClient();
  const [left, keep] = useKept<{ readonly pages: number; readonly open: Open | null }>('open requests');
  const [pages, setPages] = useState(left?.pages ?? 1);
  const [open, setOpen] = useState<Open | null>(left?.open ?? null);
  useEffect(() => keep({ pages, open }), [keep, pages, open]);
  const [failure, setFailure] = useState<CombinedError | undefined>();
  /** Answers to an older question are dropped. */
  const question = useRef(0);
  const refetch = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    const [working, waiting] = [await read(client, 'processing', pages), await read(client, 'queued', pages)];
    if (asked !== question.current) return;
    const error = working.error ?? waiting.error;
    setFailure(error);
    if (error) return;
    setOpen({ requests: [...working.rows, ...waiting.rows], isCut: working.isCut || waiting.isCut });
  }, [client, pages]);
  useEffect(() => void refetch(), [refetch]);
  const again = useCallback(() => void refetch(), [refetch]);
  usePolling(again, POLL_MS);
  const more = pages < MOST_PAGES ? () => setPages(pages + 1) : null;
  return { open, failure, refetch: again, more };
}

interface Read {
  readonly rows: readonly OpenRequestFragment[];
  readonly isCut: boolean;
  readonly error: CombinedError | undefined;
}

async function read(client: Client, status: string, pages: number): Promise<Read> {
  const rows: OpenRequestFragment[] = [];
  let after: string | null = null;
  for (let page = 0; page < pages; page += 1) {
    const variables: { status: string[]; after: string | null } = { status: [status], after };
    const { data, error } = await client
      .query(OpenRequestsDocument, variables, { requestPolicy: 'network-only' })
      .toPromise();
    if (!data) return { rows, isCut: false, error };
    const { nodes, pageInfo } = data.requests;
    rows.push(...nodes);
    if (!pageInfo.hasNextPage) return { rows, isCut: false, error: undefined };
    after = pageInfo.endCursor;
  }
  return { rows, isCut: true, error: undefined };
}
