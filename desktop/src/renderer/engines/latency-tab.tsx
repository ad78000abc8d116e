import { LatencyChart } from '@ocr-router/ui/charts/latency-chart.tsx';
import { BY_DAY } from '@ocr-router/ui/charts/step.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { EngineLatencyDocument } from '../../documents.generated.ts';
import { chartMarks } from '../alerts/chart-marks.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { EngineFigures } from './engine-figures.tsx';
import { hoursToAsk, readZoom, slotsShown, stepOf, wholeSteps, writeZoom } from './zoom.ts';
import { ZoomEnd } from './zoom-end.tsx';

const POLL_MS = 60_000;

/**
 * p50, p95 and p99 by hour over requests and errors, with the times of its alerts: of the time range, or of the part of it
 * that was drawn over. Of more than a week by day; a day opens its hours, an hour its requests.
 */
export function LatencyTab({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const [range] = useTimeRange();
  const [zoomText, setZoomText] = useSearchParam('zoom');
  const zoom = useMemo(() => readZoom(zoomText), [zoomText]);
  const nowMs = useNow(POLL_MS);
  const hours = hoursToAsk(range.hours, zoom, nowMs);
  const step = stepOf(range.hours, zoom);
  const answer = useQuery(EngineLatencyDocument, { id, hours, rangeHours: range.hours, byDay: step === BY_DAY });
  usePolling(answer.refetch, POLL_MS);
  const hourly = answer.data?.engineLatency?.data;
  const daily = answer.data?.engine?.dailyLatency;
  const slots = useMemo(
    () => slotsShown({ hourly, daily }, { step, rangeHours: range.hours, hours, zoom, nowMs }),
    [hourly, daily, step, range.hours, hours, zoom, nowMs],
  );
  const marks = useMemo(() => chartMarks(answer.data ?? { alerts: [], deployments: [] }), [answer.data]);
  const open = (atMs: number): void => {
    const part = { fromMs: atMs, toMs: atMs + step.ms };
    const [from, to] = [part.fromMs, part.toMs].map((ms) => new Date(ms).toISOString());
    if (step === BY_DAY) setZoomText(writeZoom(part));
    else navigate(`/engines/${id}?tab=requests&from=${from}&to=${to}`);
  };
  const title = `Engine time by ${step.word}${zoom === null && range.hours < hours ? ', in the last 24 h' : ''}`;
  return (
    <Answer subject="The latency" answer={answer} loadingRows={8}>
      {({ engine }) => (
        <>
          {zoom === null && <EngineFigures window={engine.window} words={range.words} />}
          <LatencyChart
            title={title}
            slots={slots}
            step={step}
            marks={marks}
            controls={zoom && <ZoomEnd zoom={zoom} onEnd={() => setZoomText(null)} />}
            onOpenSlot={open}
            onZoom={(part) => setZoomText(writeZoom(wholeSteps(part, step)))}
          />
        </>
      )}
    </Answer>
  );
}
