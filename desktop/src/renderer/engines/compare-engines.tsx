import { MultiSelect, SegmentedControl } from '@mantine/core';
import { MOST_LINES } from '@ocr-router/ui/charts/lines-chart.tsx';
import { BY_DAY } from '@ocr-router/ui/charts/step.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { ErrorShare } from '@ocr-router/ui/status/error-share.tsx';
import type { Column } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { CompareEnginesDocument, type CompareEnginesQuery } from '../../documents.generated.ts';
import { chartMarks } from '../alerts/chart-marks.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { ChargesChart, type CompareChartProps, MeasureChart } from './compare-charts.tsx';
import { comparedEngines } from './compare-lines.ts';
import { MEASURES, measureOf } from './compare-measures.ts';
import classes from './engines.module.css';
import { type EngineMoney, useEngineMoney } from './use-engine-money.ts';
import { hoursToAsk, readZoom, stepOf, wholeSteps, writeZoom } from './zoom.ts';
import { ZoomEnd } from './zoom-end.tsx';

interface Compared extends Omit<CompareEnginesQuery['engines'][number], 'latency' | 'dailyLatency'> {
  /** Null until it is known. */
  readonly money: EngineMoney | null;
}

const POLL_MS = 60_000;
const LEAST_HOURS = 24;
const USUAL = 4;
const ROW_PX = 32;
const HEADER_PX = 32;

const CHOICES = Object.entries(MEASURES).map(([value, { label }]) => ({ value, label }));

/** Engines beside each other: one measure over the hours or days of the time range, and the sums of it. */
export function CompareEngines() {
  const [range] = useTimeRange();
  const [named, setNamed] = useSearchParam('compare');
  const [wish, setWish] = useSearchParam('measure');
  const hours = Math.max(LEAST_HOURS, range.hours);
  const [zoomText, setZoomText] = useSearchParam('zoom');
  const zoom = useMemo(() => readZoom(zoomText), [zoomText]);
  const nowMs = useNow(POLL_MS);
  const chartHours = hoursToAsk(range.hours, zoom, nowMs);
  const step = stepOf(range.hours, zoom);
  const answer = useQuery(CompareEnginesDocument, { hours, chartHours, byDay: step === BY_DAY });
  usePolling(answer.refetch, POLL_MS);
  const measure = measureOf(wish);
  const { data } = answer;
  const chosen = useMemo(
    () => comparedEngines(data?.engines ?? [], named, { most: MOST_LINES, usual: USUAL }),
    [data, named],
  );
  const times = useMemo(
    () => ({ step, rangeHours: range.hours, hours: chartHours, zoom, nowMs }),
    [step, range.hours, chartHours, zoom, nowMs],
  );
  const marks = useMemo(() => {
    const ids = chosen.map(({ id }) => id);
    const alerts = (data?.alerts ?? []).filter(({ engineId }) => engineId !== null && ids.includes(engineId));
    return chartMarks({ alerts, deployments: data?.deployments ?? [] });
  }, [data, chosen]);
  const moneyOf = useEngineMoney(
    chosen.map(({ id }) => id),
    hours,
  );
  const { label, text } = MEASURES[measure];
  const words = hours === range.hours ? range.words : 'in the last 24 h';
  const chart: CompareChartProps = {
    title: zoom === null ? `${label} by ${step.word}, ${words}` : `${label} by ${step.word}`,
    measure: label,
    engines: chosen,
    times,
    marks,
    text,
    controls: (
      <>
        {zoom && <ZoomEnd zoom={zoom} onEnd={() => setZoomText(null)} />}
        <SegmentedControl
          size="xs"
          aria-label="Measure"
          data={CHOICES}
          value={measure}
          onChange={(next) => setWish(next === 'p95' ? null : next)}
        />
      </>
    ),
    onZoom: (part) => setZoomText(writeZoom(wholeSteps(part, step))),
  };
  return (
    <Answer subject="The comparison" answer={answer} loadingRows={8}>
      {({ engines }) => (
        <div className={classes['compare']}>
          <MultiSelect
            aria-label="Engines to compare"
            placeholder={chosen.length === 0 ? 'Choose engines' : undefined}
            searchable
            clearable
            maxValues={MOST_LINES}
            data={engines.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen.map(({ id }) => id)}
            onChange={(ids) => setNamed(ids.length === 0 ? null : ids.join(','))}
          />
          {measure === 'charged' ? (
            <ChargesChart key={`${chartHours} ${step.word}`} {...chart} />
          ) : (
            <MeasureChart {...chart} measured={measure} />
          )}
          {zoom && <p className={`${classes['sumsOf']} kit-soft`}>Below: sums of all requests {words}.</p>}
          <Sums engines={chosen.map((engine) => ({ ...engine, money: moneyOf.get(engine.id) ?? null }))} />
        </div>
      )}
    </Answer>
  );
}

function Sums({ engines }: { readonly engines: readonly Compared[] }) {
  const [, navigate] = useLocation();
  if (engines.length === 0) return null;
  return (
    <div className="kit-panel">
      <DataTable
        label="Compared engines"
        rows={engines}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHeightPx={ROW_PX}
        height={HEADER_PX + engines.length * ROW_PX}
        onOpen={({ id }) => navigate(`/engines/${encodeURIComponent(id)}`)}
      />
    </div>
  );
}

const COLUMNS: ReadonlyArray<Column<Compared>> = [
  { id: 'name', header: 'Engine', leastPx: 160, sortBy: ({ name }) => name, cell: ({ name }) => name },
  figure('runs', 'Runs', ({ window }) => window.requests, count),
  {
    ...figure('errors', 'Errors', ({ window }) => window.errorRate, share),
    cell: ({ window }) => <ErrorShare errorRate={window.errorRate} />,
  },
  figure('p50', 'p50', ({ window }) => window.p50Ms, duration),
  figure('p95', 'p95', ({ window }) => window.p95Ms, duration),
  { ...figure('price', 'Price per page', ({ pricePerPage }) => pricePerPage, money), widthPx: 124 },
  figure('charged', 'Charged', (engine) => engine.money?.charged ?? null, money),
  { ...known('cost', 'Provider’s cost', (engine) => engine.providerCost), widthPx: 124 },
  known('margin', 'Margin', (engine) => engine.margin),
];

/** Money that may not be known, which is not the same as that it has not come yet. */
function known(id: string, header: string, value: (of: EngineMoney) => number | null): Column<Compared> {
  const of = ({ money: all }: Compared) => all && value(all);
  const cell = (engine: Compared) => (engine.money !== null && of(engine) === null ? 'not known' : money(of(engine)));
  return { ...figure(id, header, of, money), cell };
}

function figure(
  id: string,
  header: string,
  value: (engine: Compared) => number | null,
  text: (value: number | null) => string,
): Column<Compared> {
  return { id, header, widthPx: 104, align: 'right', sortBy: value, cell: (engine) => text(value(engine)) };
}
