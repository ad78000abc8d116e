import { Button } from '@mantine/core';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useState } from 'react';
import { LedgerDocument } from '../documents.generated.ts';
import { Panel } from '../kit/panel.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { type Span, timesOf } from './span.ts';

const PAGE_SIZE = 25;

/** Every movement of the account's money in some days, newest first, page behind page. */
export function Ledger({ span }: { readonly span: Span }) {
  const [after, setAfter] = useState<readonly (string | null)[]>([null]);
  const { data, failure, loading, refetch } = useQuery(LedgerDocument, {
    first: PAGE_SIZE,
    after: after.at(-1) ?? null,
    ...timesOf(span),
  });
  const pageInfo = data?.ledger.pageInfo;
  const pager = (
    <>
      <Button variant="default" disabled={after.length === 1} onClick={() => setAfter(after.slice(0, -1))}>
        Newer
      </Button>
      <Button
        variant="default"
        disabled={!pageInfo?.hasNextPage || loading}
        onClick={() => setAfter([...after, pageInfo?.endCursor ?? null])}
      >
        Older
      </Button>
    </>
  );
  return (
    <Panel title="Ledger" actions={pager} flush>
      {!data && failure && (
        <Failed title="The ledger could not be loaded" message={failureText(failure)} onRetry={refetch} />
      )}
      {!data && !failure && <Loading rows={4} />}
      {data?.ledger.nodes.length === 0 && <Empty title="No money has moved in these days" />}
      {data && data.ledger.nodes.length > 0 && <LedgerTable lines={data.ledger.nodes} />}
    </Panel>
  );
}
