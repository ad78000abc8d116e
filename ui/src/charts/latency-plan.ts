import uPlot from 'uplot';
import { shortCount } from '../format/count.ts';
import { duration } from '../format/duration.ts';
import { axes, zoneOf } from './axis.ts';
import { cssColour, fade } from './css-colour.ts';
import { hatch } from './hatch.ts';
import type { Figures, TimeSlot } from './hours.ts';
import { type Selected, selecting } from './selection.ts';
import type { Step } from './step.ts';
import type { PlotPlan } from './use-plot.ts';

export interface PlanChoices {
  readonly step: Step;
  /** Plots with the same key share their cursor. */
  readonly sync: string;
  readonly onCursor: (index: number | null) => void;
  readonly onSelect: (part: Selected) => void;
}

/** In a lower window the volume would be below the fold. */
const LOW_WINDOW_PX = 700;

/** Steps of time that people count in. */
const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
];

/** Steps of what is counted: between whole numbers there is nothing to be written. */
const STEPS_COUNTED = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

/** In a plot that is this low there is then one of these steps whatever the highest bar is. */
const LOW_PLOT_LEAST_PX = 24;

/** The same beside both plots, so that an hour or a day stands above itself; half of the last label has room. */
const PADDING: uPlot.Padding = [8, 20, 8, 0];

/** p50 and p95 as lines, p99 dashed, the band between p50 and p99 shaded. */
export function latencyPlan(logarithmic: boolean, choices: PlanChoices): PlotPlan {
  return (place) => {
    const p50 = cssColour(place, '--chart-p50');
    const line = { scale: 'y', width: 1.75, points: { show: true, size: 4, filter: loneSlots }, spanGaps: false };
    return {
      height: window.innerHeight < LOW_WINDOW_PX ? 180 : 280,
      padding: PADDING,
      legend: { show: false },
      ...pointed(choices),
      ...zoneOf(choices.step),
      scales: {
        y: logarithmic
          ? { distr: 3, range: (_, min, max) => [(min ?? 1) * 0.7, (max ?? 10) * 1.4] }
          : { range: (_, __, max) => [0, Math.max(max ?? 0, 10) * 1.08] },
      },
      axes: axes(place, {
        yText: duration,
        withTime: false,
        step: choices.step,
        steps: logarithmic ? undefined : STEPS_MS,
      }),
      bands: [{ series: [3, 1], fill: fade(p50, 0.1) }],
      series: [
        {},
        { ...line, label: 'p50', stroke: p50 },
        { ...line, label: 'p95', stroke: cssColour(place, '--chart-p95') },
        { ...line, label: 'p99', stroke: cssColour(place, '--chart-p99'), dash: [5, 4] },
      ],
    };
  };
}

/** Runs as bars, the failed part of them hatched. */
export function volumePlan(choices: PlanChoices): PlotPlan {
  return (place) => {
    const paths = uPlot.paths.bars?.({ size: [0.8, 24] });
    const volume = cssColour(place, '--chart-volume');
    const failed = cssColour(place, '--status-down');
    return {
      height: 104,
      padding: PADDING,
      legend: { show: false },
      ...pointed(choices),
      ...zoneOf(choices.step),
      scales: { y: { range: (_, __, max) => [0, Math.max(max ?? 0, 4) * 1.1] } },
      axes: axes(place, { yText: shortCount, steps: STEPS_COUNTED, leastPx: LOW_PLOT_LEAST_PX, step: choices.step }),
      series: [
        {},
        { label: 'Runs', scale: 'y', paths, fill: volume, points: { show: false } },
        { label: 'Errors', scale: 'y', paths, stroke: failed, width: 1, fill: hatch(failed), points: { show: false } },
      ],
    };
  };
}

/** What both plots do under the pointer: one cursor, and a part that is drawn over. */
function pointed({ sync, onCursor, onSelect }: PlanChoices): Pick<uPlot.Options, 'cursor' | 'hooks'> {
  const { drag, setSelect } = selecting(onSelect);
  return {
    cursor: { sync: { key: sync }, y: false, drag },
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)], setSelect: [setSelect] },
  };
}

/** The columns of both plots. */
export function plotData(slots: readonly TimeSlot[]): { latency: uPlot.AlignedData; volume: uPlot.AlignedData } {
  const at = slots.map(({ atMs }) => atMs / 1000);
  const column = (pick: (bucket: Figures) => number | null | undefined) =>
    slots.map(({ bucket }) => (bucket === null ? null : (pick(bucket) ?? null)));
  return {
    latency: [at, column((b) => b.p50Ms), column((b) => b.p95Ms), column((b) => b.p99Ms)],
    volume: [at, column((b) => b.requestCount), column((b) => b.errorCount || null)],
  };
}

/** An hour or a day between two gaps has no line: it gets a point. */
function loneSlots(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  return Array.from(plot.data[0], (_, index) => index).filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  );
}
