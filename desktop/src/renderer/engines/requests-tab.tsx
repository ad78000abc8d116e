import { Button } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useTimeRange } from '../navigation/time-range.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { OF_ENGINE_COLUMNS } from '../requests/request-columns.tsx';
import classes from './engines.module.css';
import { useEngineRequests } from './use-engine-requests.ts';
import { readZoom, type Zoom } from './zoom.ts';

const HOUR_MS = 3_600_000;

/** The requests of the engine: of the time range, or of the hour or part that was chosen in its latency. */
export function RequestsTab({ id }: { readonly id: string }) {
  const [path, navigate] = useLocation();
  const [hourFrom] = useSearchParam('from');
  const [hourTo] = useSearchParam('to');
  const [zoomText] = useSearchParam('zoom');
  const [zoomFrom, zoomTo] = spanOf(readZoom(zoomText));
  const [from, to] = hourFrom && hourTo ? [hourFrom, hourTo] : [zoomFrom, zoomTo];
  const [range] = useTimeRange();
  const span = useMemo(
    () => (from && to ? { from, to } : { from: new Date(Date.now() - range.hours * HOUR_MS).toISOString(), to: null }),
    [from, to, range],
  );
  const { requests, failure, loading, more, retry } = useEngineRequests(id, span);
  return (
    <section className="kit-panel" aria-label="Requests">
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
        <Failed title="The requests could not be loaded" message={failureText(failure)} onRetry={retry} />
      ) : loading && requests.length === 0 ? (
        <Loading rows={8} />
      ) : requests.length === 0 ? (
        <Empty title="No requests in this time" />
      ) : (
        <DataTable
          label="Requests"
          rows={requests}
          columns={OF_ENGINE_COLUMNS}
          rowKey={({ id: requestId }) => requestId}
          rowHeightPx={30}
          height="calc(100vh - 214px)"
          onOpen={({ id: requestId }) => navigate(`/requests?request=${requestId}`)}
          onEndNear={more}
        />
      )}
    </section>
  );
}

function spanOf(zoom: Zoom | null): readonly [from: string | null, to: string | null] {
  if (zoom === null) return [null, null];
  return [new Date(zoom.fromMs).toISOString(), new Date(zoom.toMs).toISOString()];
}
