import { everyHour } from '@ocr-router/ui/charts/hours.ts';
import { LatencyChart } from '@ocr-router/ui/charts/latency-chart.tsx';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { EngineLatencyDocument } from '../../documents.generated.ts';
import { alertMarks } from '../alerts/alert-marks.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { hoursToAsk, readZoom, slotsShown, wholeHours, writeZoom } from './zoom.ts';
import { ZoomEnd } from './zoom-end.tsx';

const HOUR_MS = 3_600_000;
const POLL_MS = 60_000;

/** p50, p95 and p99 by hour over requests and errors, with the times of its alerts: of the time range, or of the part of it that was drawn over. */
export function LatencyTab({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const [range] = useTimeRange();
  const [zoomText, setZoomText] = useSearchParam('zoom');
  const zoom = useMemo(() => readZoom(zoomText), [zoomText]);
  const nowMs = useNow(POLL_MS);
  const hours = hoursToAsk(range.hours, zoom, nowMs);
  const answer = useQuery(EngineLatencyDocument, { id, hours });
  usePolling(answer.refetch, POLL_MS);
  const buckets = answer.data?.engineLatency.data;
  const slots = useMemo(
    () => slotsShown(everyHour(buckets ?? [], hours, nowMs), range.hours, zoom),
    [buckets, hours, nowMs, range.hours, zoom],
  );
  const marks = useMemo(() => alertMarks(answer.data?.alerts ?? []), [answer.data]);
  const openHour = (atMs: number): void => {
    const from = new Date(atMs).toISOString();
    const to = new Date(atMs + HOUR_MS).toISOString();
    navigate(`/engines/${id}?tab=requests&from=${from}&to=${to}`);
  };
  const title = zoom === null && range.hours < hours ? 'Engine time by hour, in 24 h' : 'Engine time by hour';
  return (
    <Answer subject="The latency" answer={answer} loadingRows={8}>
      {() => (
        <LatencyChart
          title={title}
          slots={slots}
          marks={marks}
          controls={zoom && <ZoomEnd zoom={zoom} onEnd={() => setZoomText(null)} />}
          onOpenHour={openHour}
          onZoom={(part) => setZoomText(writeZoom(wholeHours(part)))}
        />
      )}
    </Answer>
  );
}
