import { everyHour, everyLatencyDay, sumDays, sumHours } from '@ocr-router/ui/charts/hours.ts';
import { BY_DAY } from '@ocr-router/ui/charts/step.ts';
import { TrafficChart } from '@ocr-router/ui/charts/traffic-chart.tsx';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { OverviewTrafficDocument } from '../../documents.generated.ts';
import { chartMarks } from '../alerts/chart-marks.ts';
import { stepOf, wholeSteps, type Zoom } from '../engines/zoom.ts';
import { usePolling } from '../graphql/use-polling.ts';
import type { TimeRange } from '../navigation/time-range.ts';
import classes from './overview.module.css';
import { WHOLE_HOURS } from './overview-words.ts';
import { hasManyErrors, trafficWords } from './traffic-words.ts';

const POLL_MS = 60_000;
/** Hours are what it is kept by: fewer of them would be no picture. */
const LEAST_HOURS = 24;
/** As far back as the gateway answers. */
const MOST_HOURS = 720;
const DAYS = 30;

/**
 * Runs on all engines and their errors, hour by hour and of 30 days by UTC day, with the times of alerts; an hour or a day, or
 * those that are drawn over, open their requests. `change` says how it was before.
 */
export function Traffic({ range, change }: { readonly range: TimeRange; readonly change: string }) {
  const [, navigate] = useLocation();
  // So many whole ones and the one that runs, as the figures above the chart.
  const hours = Math.min(MOST_HOURS, Math.max(LEAST_HOURS, range.hours) + 1);
  const step = stepOf(range.hours, null);
  const { data, failure, refetch } = useQuery(OverviewTrafficDocument, { hours, byDay: step === BY_DAY });
  usePolling(refetch, POLL_MS);
  const nowMs = useNow(POLL_MS);
  const slots = useMemo(() => {
    const engines = data?.engines ?? [];
    return step === BY_DAY
      ? everyLatencyDay(sumDays(engines.map(({ dailyLatency }) => dailyLatency ?? [])), DAYS, nowMs)
      : everyHour(sumHours(engines.map(({ latency }) => latency ?? [])), hours, nowMs);
  }, [data, step, hours, nowMs]);
  const marks = useMemo(() => chartMarks(data ?? { alerts: [], deployments: [] }), [data]);
  // Within the page's answer, which already says when it is of.
  if (data == null) {
    if (failure === undefined) return <Loading rows={4} label="Traffic: loading" />;
    return <Failed title="The traffic could not be loaded" message={failureText(failure)} onRetry={refetch} />;
  }
  const open = ({ fromMs, toMs }: Zoom): void => {
    const from = new Date(fromMs).toISOString();
    const to = new Date(toMs).toISOString();
    navigate(`/requests?from=${from}&to=${to}`);
  };
  return (
    <TrafficChart
      title={`Runs and engine errors ${titleWords(range)}`}
      slots={slots}
      step={step}
      marks={marks}
      note={
        <span className={classes['change']} data-bad={hasManyErrors(slots)} title={WHOLE_HOURS}>
          {[trafficWords(slots), range.hours < LEAST_HOURS ? '' : change].filter(Boolean).join('; ')}
        </span>
      }
      onOpenSlot={(atMs) => open({ fromMs: atMs, toMs: atMs + step.ms })}
      onSelect={(part) => open(wholeSteps(part, step))}
    />
  );
}

function titleWords({ hours, words }: TimeRange): string {
  if (hours < LEAST_HOURS) return 'in the last 24 h';
  return stepOf(hours, null) === BY_DAY ? `in the last ${DAYS} days (UTC)` : words;
}
