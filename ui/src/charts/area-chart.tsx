import { type ReactNode, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import { shortTime } from '../format/time.ts';
import { axes } from './axis.ts';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import { cssColour, fade } from './css-colour.ts';
import { type PlotPlan, usePlot } from './use-plot.ts';

interface AreaPoint {
  readonly atMs: number;
  /** Null where nothing was measured: a gap. */
  readonly value: number | null;
}

interface AreaChartProps {
  readonly title: string;
  /** What is measured, such as `Waiting`. */
  readonly measure: string;
  readonly points: readonly AreaPoint[];
  /** Keep it outside the component. */
  readonly text: (value: number) => string;
  readonly heightPx?: number;
  readonly controls?: ReactNode;
}

/** One measure over time as an area; gaps stay gaps. */
export function AreaChart(props: AreaChartProps) {
  const { title, measure, points, text, controls } = props;
  const measured = () => points.flatMap(({ atMs, value }) => (value === null ? [] : [{ atMs, value }]));
  const rows = () =>
    measured()
      .reverse()
      .map(({ atMs, value }) => [shortTime(atMs), text(value)]);
  return (
    <ChartFrame title={title} controls={controls} table={() => ({ head: ['Time', measure], rows: rows() })}>
      <Area {...props} />
    </ChartFrame>
  );
}

function Area({ title, measure, points, text, heightPx = 180 }: AreaChartProps) {
  const [hovered, setHovered] = useState<number | null>(null);
  const plan = useMemo(() => areaPlan({ measure, text, heightPx, setHovered }), [measure, text, heightPx]);
  const data = useMemo<uPlot.AlignedData>(
    () => [points.map(({ atMs }) => atMs / 1000), points.map(({ value }) => value)],
    [points],
  );
  const place = usePlot(plan, data);
  const point = hovered === null ? undefined : points[hovered];
  return (
    <div className={classes['plots']}>
      <div className={classes['readout']}>
        <span className={classes['readoutHour']}>{point ? shortTime(point.atMs) : measure}</span>
        {point && <span data-line="area">{point.value === null ? 'not measured' : text(point.value)}</span>}
      </div>
      <div ref={place} role="img" aria-label={title} />
    </div>
  );
}

interface AreaPlan extends Required<Pick<AreaChartProps, 'measure' | 'text' | 'heightPx'>> {
  readonly setHovered: (index: number | null) => void;
}

function areaPlan({ measure, text, heightPx, setHovered }: AreaPlan): PlotPlan {
  return (place) => {
    const stroke = cssColour(place, '--chart-area');
    return {
      height: heightPx,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(max ?? 0, 4) * 1.1] } },
      axes: axes(place, { yText: text }),
      series: [{}, { label: measure, scale: 'y', stroke, width: 1.75, fill: fade(stroke, 0.16), spanGaps: false }],
      hooks: { setCursor: [(plot) => setHovered(plot.cursor.idx ?? null)] },
    };
  };
}
