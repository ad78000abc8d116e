import { everyHour, sumHours } from '@ocr-router/ui/charts/hours.ts';
import { TrafficChart } from '@ocr-router/ui/charts/traffic-chart.tsx';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { OverviewTrafficDocument } from '../../documents.generated.ts';
import { alertMarks } from '../alerts/alert-marks.ts';
import { wholeHours, type Zoom } from '../engines/zoom.ts';
import { usePolling } from '../graphql/use-polling.ts';
import type { TimeRange } from '../navigation/time-range.ts';
import { trafficChange } from './traffic-change.ts';

const HOUR_MS = 3_600_000;
const POLL_MS = 60_000;
/** Hours are what it is kept by: fewer of them would be no picture. */
const LEAST_HOURS = 24;
/** As far back as the gateway answers. */
const MOST_HOURS = 720;

/** Runs on all engines and their errors, hour by hour, with the times of alerts; an hour, or hours that are drawn over, open their requests. */
export function Traffic({ range }: { readonly range: TimeRange }) {
  const [, navigate] = useLocation();
  // So many whole ones and the one that runs, as the figures above the chart.
  const hours = Math.min(MOST_HOURS, Math.max(LEAST_HOURS, range.hours) + 1);
  const asked = Math.min(MOST_HOURS, 2 * hours);
  const { data, failure, refetch } = useQuery(OverviewTrafficDocument, { hours: asked });
  usePolling(refetch, POLL_MS);
  const nowMs = useNow(POLL_MS);
  const { slots, change } = useMemo(() => {
    const all = data ? everyHour(sumHours(data.engines.map(({ latency }) => latency)), asked, nowMs) : [];
    const shown = all.slice(-hours);
    return { slots: shown, change: trafficChange(shown, asked < 2 * hours ? null : all.slice(0, hours)) };
  }, [data, asked, hours, nowMs]);
  const marks = useMemo(() => alertMarks(data?.alerts ?? []), [data]);
  // Within the page's answer, which already says when it is of.
  if (data == null) {
    if (failure === undefined) return <Loading rows={4} label="Traffic: loading" />;
    return <Failed title="The traffic could not be loaded" message={failureText(failure)} onRetry={refetch} />;
  }
  const open = ({ fromMs, toMs }: Zoom): void => {
    const from = new Date(fromMs).toISOString();
    const to = new Date(toMs).toISOString();
    navigate(`/jobs?from=${from}&to=${to}`);
  };
  return (
    <TrafficChart
      title={range.hours < LEAST_HOURS ? 'Runs and engine errors in 24 h' : `Runs and engine errors ${range.words}`}
      slots={slots}
      marks={marks}
      controls={<span className="kit-soft">{change}</span>}
      onOpenHour={(atMs) => open({ fromMs: atMs, toMs: atMs + HOUR_MS })}
      onSelect={(part) => open(wholeHours(part))}
    />
  );
}
