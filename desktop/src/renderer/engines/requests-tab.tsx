import { Button } from '@mantine/core';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useLocation } from 'wouter';
import { EngineRequestsDocument, type EngineRequestsQuery } from '../../documents.generated.ts';
import { usePages } from '../graphql/use-pages.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { useOnceHere } from '../navigation/visits.ts';
import { OF_ENGINE_COLUMNS } from '../requests/request-columns.tsx';
import classes from './engines.module.css';
import { readZoom, type Zoom } from './zoom.ts';

const HOUR_MS = 3_600_000;
const NONE = 'No requests in this time';

/** The requests of the engine: of the time range, or of the hour or part that was chosen in its latency. */
export function RequestsTab({ id }: { readonly id: string }) {
  const [path, navigate] = useLocation();
  const [hourFrom] = useSearchParam('from');
  const [hourTo] = useSearchParam('to');
  const [zoomText] = useSearchParam('zoom');
  const [zoomFrom, zoomTo] = spanOf(readZoom(zoomText));
  const [from, to] = hourFrom && hourTo ? [hourFrom, hourTo] : [zoomFrom, zoomTo];
  const [range] = useTimeRange();
  const span = useOnceHere('span of requests', `${from} ${to} ${range.hours}`, () =>
    from && to ? { from, to } : { from: new Date(Date.now() - range.hours * HOUR_MS).toISOString(), to: null },
  );
  const place = useListPlace();
  const list = usePages(EngineRequestsDocument, { engine: id, ...span }, pageOf);
  const { rows: requests, isCurrent, hasMore, failure, loading, more, reload } = list;
  return (
    <section className="kit-panel" aria-label="Requests">
      <ResultNews asked={JSON.stringify(span)} found={isCurrent ? foundWords(requests.length, hasMore) : null} />
      {from && to && (
        <p className={classes['hourChip']}>
          Accepted from {shortTime(from)} to {shortTime(to)}
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => navigate(`${path}?tab=requests`, { replace: true })}
          >
            Show {range.label}
          </Button>
        </p>
      )}
      {failure && requests.length === 0 ? (
        <Failed title="The requests could not be loaded" message={failureText(failure)} onRetry={reload} />
      ) : loading && requests.length === 0 ? (
        <Loading rows={8} />
      ) : requests.length === 0 ? (
        <Empty title={NONE} />
      ) : (
        <DataTable
          label="Requests"
          rows={requests}
          columns={OF_ENGINE_COLUMNS}
          rowKey={({ id: requestId }) => requestId}
          rowHeightPx={30}
          height="calc(100vh - 13.375rem)"
          onOpen={({ id: requestId }) => navigate(`/requests?request=${requestId}`)}
          onEndNear={more}
          activeKey={place.marked}
          onActivate={place.mark}
          initialTopPx={place.initialTopPx}
          onScroll={place.onScroll}
        />
      )}
    </section>
  );
}

function pageOf({ requests }: EngineRequestsQuery) {
  return requests;
}

function foundWords(requests: number, hasMore: boolean): string {
  if (requests === 0) return NONE;
  return hasMore ? `${count(requests)} loaded, more below` : plural(requests, 'request');
}

function spanOf(zoom: Zoom | null): readonly [from: string | null, to: string | null] {
  if (zoom === null) return [null, null];
  return [new Date(zoom.fromMs).toISOString(), new Date(zoom.toMs).toISOString()];
}
