import { LinesChart, type LinesChartProps } from '@ocr-router/ui/charts/lines-chart.tsx';
import { BY_DAY } from '@ocr-router/ui/charts/step.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useMemo } from 'react';
import { CompareChargesDocument } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { type Compared, chargeLines, compareLines, type Drawn, type Times } from './compare-lines.ts';

const POLL_MS = 60_000;
const NO_LINES: Pick<LinesChartProps, 'atMs' | 'lines'> = { atMs: [], lines: [] };

export interface CompareChartProps extends Omit<LinesChartProps, 'atMs' | 'lines' | 'pending' | 'step'> {
  readonly engines: readonly Compared[];
  /** Keep it as it is while it is the same. */
  readonly times: Times;
}

/** A measure of engines over time, of what the page has of them. */
export function MeasureChart({
  engines,
  times,
  measured,
  ...frame
}: CompareChartProps & { readonly measured: Drawn['measure'] }) {
  const lines = useMemo(() => compareLines(engines, { measure: measured, ...times }), [engines, measured, times]);
  return <LinesChart {...frame} {...lines} step={times.step} />;
}

/** What engines brought in over time; asked for only while it is looked at. Give it a key for each of its questions. */
export function ChargesChart({ engines, times, ...frame }: CompareChartProps) {
  const { step, hours } = times;
  const { data, failure, refetch } = useQuery(CompareChargesDocument, { hours, byDay: step === BY_DAY });
  usePolling(refetch, POLL_MS);
  const lines = useMemo(() => data && chargeLines(engines, data.engines, times), [engines, data, times]);
  if (lines) return <LinesChart {...frame} {...lines} step={step} />;
  const pending = failure ? (
    <Failed title="What was charged could not be loaded" message={failureText(failure)} onRetry={refetch} />
  ) : (
    <Loading label="What was charged: loading" rows={6} />
  );
  return <LinesChart {...frame} {...NO_LINES} step={step} pending={pending} />;
}
