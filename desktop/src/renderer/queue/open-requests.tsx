import { Button } from '@mantine/core';
import { age } from '@ocr-router/ui/format/age.ts';
import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { OpenRequestFragment } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { CancelRequest } from '../requests/cancel-request.tsx';
import classes from './queue.module.css';
import { useOpenRequests } from './use-open-requests.ts';

const HEADER_PX = 32;
const MOST_HEIGHT_PX = 480;

/** The requests that are at work or wait, each with a button that ends it. */
export function OpenRequests({ nowMs }: { readonly nowMs: number }) {
  const { open, failure, refetch, more } = useOpenRequests();
  return (
    <section aria-labelledby="open-requests">
      <h2 id="open-requests" className={classes['heading']}>
        Running and waiting
      </h2>
      {open === null && failure === undefined && <Loading rows={3} label="Open requests: loading" />}
      {open === null && failure !== undefined && (
        <Failed title="The open requests could not be loaded" message={failureText(failure)} onRetry={refetch} />
      )}
      {open !== null && (
        <div className="kit-panel">
          <OpenTable requests={open.requests} nowMs={nowMs} onCancelled={refetch} />
          {open.isCut && (
            <p className={`${classes['nothing']} kit-soft`}>
              The newest of each state, {plural(open.requests.length, 'request')}.{' '}
              {more ? (
                <Button variant="default" size="compact-xs" onClick={more}>
                  Show older ones
                </Button>
              ) : (
                <Link href="/requests?status=queued,processing&time=any" className="kit-link">
                  All of them
                </Link>
              )}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

interface OpenTableProps {
  readonly requests: readonly OpenRequestFragment[];
  readonly nowMs: number;
  readonly onCancelled: () => void;
}

function OpenTable({ requests, nowMs, onCancelled }: OpenTableProps) {
  const rowPx = useRowPx();
  const place = useListPlace();
  const columns = useMemo(() => columnsOf(nowMs, onCancelled), [nowMs, onCancelled]);
  if (requests.length === 0) {
    return <p className={`${classes['nothing']} kit-soft`}>Nothing is waiting or running.</p>;
  }
  return (
    <DataTable
      label="Open requests"
      rows={requests}
      columns={columns}
      rowKey={({ id }) => id}
      rowHeightPx={rowPx}
      initialTopPx={place.initialTopPx}
      onScroll={place.onScroll}
      height={Math.min(MOST_HEIGHT_PX, HEADER_PX + requests.length * rowPx)}
    />
  );
}

function columnsOf(nowMs: number, onCancelled: () => void): ReadonlyArray<Column<OpenRequestFragment>> {
  return [
    { id: 'id', header: 'Request', widthPx: 272, cell: requestLink },
    { id: 'status', header: 'State', widthPx: 128, cell: ({ status }) => <RequestStatus status={status} /> },
    { id: 'engine', header: 'Engine', cell: ({ engine }) => engine },
    { id: 'account', header: 'Account', cell: ({ accountEmail, accountId }) => accountEmail ?? accountId },
    {
      id: 'accepted',
      header: 'Accepted',
      widthPx: 100,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => age(createdAt, nowMs),
    },
    { id: 'hold', header: 'Reserved', widthPx: 90, align: 'right', cell: ({ hold }) => money(hold) },
    {
      id: 'cancel',
      header: 'Action',
      widthPx: 158,
      align: 'right',
      cell: (request) =>
        request.cancelRequestedAt === null ? (
          <CancelRequest inList request={request} onCancelled={onCancelled} />
        ) : (
          <span className="kit-soft">being cancelled</span>
        ),
    },
  ];
}

function requestLink({ id }: OpenRequestFragment) {
  return (
    <Link href={`/requests?request=${id}&time=any`} className="kit-link">
      <code>{id}</code>
    </Link>
  );
}
