import { Button, Select } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import { FailedDeliveriesDocument, type FailedDeliveriesQuery } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { askOnce, connectionPage } from '../graphql/ask-once.ts';
import { usePages } from '../graphql/use-pages.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { ExportButton } from '../kit/export-button.tsx';
import page from '../kit/page.module.css';
import { useTimeRange } from '../navigation/time-range.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { useOnceHere } from '../navigation/visits.ts';
import { FAILED_COLUMNS, FAILED_FILE } from './failed-columns.tsx';
import { receiversOf } from './receivers.ts';
import { SendAgain } from './send-again.tsx';
import classes from './webhooks.module.css';

const HOUR_MS = 3_600_000;
const POLL_MS = 30_000;

/** The webhooks that were given up in the time range, of every account: why, and sending them again together. */
export default function WebhooksPage() {
  const [, navigate] = useLocation();
  const [range] = useTimeRange();
  const [receiver, setReceiver] = useSearchParam('receiver');
  const [account, setAccount] = useSearchParam('account');
  const since = useOnceHere('since', `${range.hours}`, () =>
    new Date(Date.now() - range.hours * HOUR_MS).toISOString(),
  );
  const place = useListPlace();
  const list = usePages(FailedDeliveriesDocument, { since, receiver, accountId: account }, pageOf);
  const { rows, hasMore, loading, failure, more, reload } = list;
  // A list that has been scrolled through stays as it is.
  usePolling(() => !hasMore && reload(), POLL_MS);
  const rowPx = useRowPx();
  const receivers = receiversOf(rows).map(([name, count]) => ({ value: name, label: `${name} (${count})` }));
  return (
    <div className={page['page']}>
      <header className={page['head']}>
        <h1 className={page['title']}>Webhooks</h1>
        <Select
          aria-label="Receiver"
          placeholder="Any receiver"
          w={220}
          clearable
          searchable
          data={receiver === null || receivers.length > 0 ? receivers : [{ value: receiver, label: receiver }]}
          value={receiver}
          onChange={setReceiver}
        />
        {account !== null && (
          <Button variant="default" size="compact-xs" onClick={() => setAccount(null)}>
            Show every account
          </Button>
        )}
        <span className="kit-soft">{rows.length > 0 && countWords(rows.length, hasMore)}</span>
        <span className={classes['headEnd']}>
          <SendAgain failed={rows} onSent={reload} />
          <ExportButton
            name="failed-webhooks"
            from={() => async (after) =>
              connectionPage(
                pageOf(await askOnce(FailedDeliveriesDocument, { since, receiver, accountId: account, after })),
              )
            }
            columns={FAILED_FILE}
          />
        </span>
      </header>
      <section className={classes['list']} aria-label="Failed webhooks">
        <ResultNews
          asked={JSON.stringify([since, receiver, account])}
          found={list.isCurrent ? countWords(rows.length, hasMore) : null}
        />
        {rows.length === 0 && failure && (
          <Failed title="The webhooks could not be loaded" message={failureText(failure)} onRetry={reload} />
        )}
        {rows.length === 0 && !failure && loading && <Loading rows={10} label="Failed webhooks: loading" />}
        {(rows.length > 0 || (!failure && !loading)) && (
          <DataTable
            label="Failed webhooks, newest first"
            rows={rows}
            columns={FAILED_COLUMNS}
            rowKey={({ id }) => id}
            rowHeightPx={rowPx}
            onOpen={({ requestId }) => requestId && navigate(`/requests?request=${requestId}&time=any`)}
            onEndNear={more}
            activeKey={place.marked}
            onActivate={place.mark}
            initialTopPx={place.initialTopPx}
            onScroll={place.onScroll}
            empty={
              <Empty title={`No webhook was given up ${range.words}`}>
                Each is tried four times; those still being tried are not listed.
              </Empty>
            }
          />
        )}
      </section>
    </div>
  );
}

function pageOf({ failedDeliveries }: FailedDeliveriesQuery) {
  return failedDeliveries;
}

function countWords(count: number, hasMore: boolean): string {
  return `${plural(count, 'webhook')} given up${hasMore ? ', more below' : ''}`;
}
