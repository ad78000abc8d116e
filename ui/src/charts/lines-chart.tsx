import { type ReactNode, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { Empty } from '../states/empty.tsx';
import { axes, zoneOf } from './axis.ts';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import { cssColour } from './css-colour.ts';
import { MarkWords } from './mark-words.tsx';
import { type Mark, NO_MARKS, withMarks } from './marks.ts';
import { type Selected, selecting } from './selection.ts';
import type { Step } from './step.ts';
import { type PlotPlan, usePlot } from './use-plot.ts';

/** One line of several on the same time axis. */
export interface Line {
  readonly name: string;
  /** One for each time; null where nothing was measured. */
  readonly values: ReadonlyArray<number | null>;
}

export interface LinesChartProps {
  readonly title: string;
  /** What is measured, such as `p95`. */
  readonly measure: string;
  readonly step: Step;
  readonly atMs: readonly number[];
  /** Six at most. */
  readonly lines: readonly Line[];
  /** Keep it outside the component. */
  readonly text: (value: number) => string;
  /** What lasted from when to when; drawn behind the lines. */
  readonly marks?: readonly Mark[];
  readonly controls?: ReactNode;
  /** What stands in its place as long as nothing is known. */
  readonly pending?: ReactNode;
  /** A part was drawn over. */
  readonly onZoom?: (part: Selected) => void;
}

/** Beside its colour each line has a pattern of its own. */
const DASHES: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 2]];
export const MOST_LINES = DASHES.length;

/** Several of a kind compared over time: one axis, one cursor; gaps stay gaps. */
export function LinesChart(props: LinesChartProps) {
  const { title, measure, step, atMs, lines, text, controls, pending } = props;
  const rows = () =>
    atMs.map((at, index) => [step.text(at), ...lines.map(({ values }) => valueText(values[index], text))]).reverse();
  return (
    <ChartFrame
      title={title}
      controls={controls}
      table={() => ({ head: [`${step.head}, ${measure}`, ...lines.map(({ name }) => name)], rows: rows() })}
    >
      {pending ? (
        pending
      ) : lines.every(({ values }) => values.every((value) => value === null)) ? (
        <Empty title="Nothing was measured in this time" />
      ) : (
        <Lines {...props} />
      )}
    </ChartFrame>
  );
}

function Lines({ title, measure, step, atMs, lines, marks = NO_MARKS, text, onZoom }: LinesChartProps) {
  const [hovered, setHovered] = useState<number | null>(null);
  const count = lines.length;
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const plan = useMemo(() => {
    const choices = { count, step, text, setHovered, onSelect: (part: Selected) => zoom.current?.(part) };
    return withMarks(linesPlan(choices), marks, step);
  }, [count, step, text, marks]);
  const data = useMemo<uPlot.AlignedData>(
    () => [atMs.map((at) => at / 1000), ...lines.map(({ values }) => [...values])],
    [atMs, lines],
  );
  const place = usePlot(plan, data);
  const at = hovered === null ? undefined : atMs[hovered];
  return (
    <div className={classes['plots']}>
      <div className={classes['readout']}>
        <span className={classes['readoutHour']}>{at === undefined ? measure : step.text(at)}</span>
        {lines.map(({ name, values }, index) => (
          <span key={name} data-line={`line-${index + 1}`}>
            {name}
            {hovered !== null && ` ${valueText(values[hovered], text)}`}
          </span>
        ))}
        <MarkWords marks={marks} step={step} times={atMs} atMs={at} />
      </div>
      <div ref={place} role="img" aria-label={`${title}: ${lines.map(({ name }) => name).join(', ')}`} />
    </div>
  );
}

interface LinesPlan extends Pick<LinesChartProps, 'step' | 'text'> {
  readonly count: number;
  readonly setHovered: (index: number | null) => void;
  readonly onSelect: (part: Selected) => void;
}

function linesPlan({ count, step, text, setHovered, onSelect }: LinesPlan): PlotPlan {
  const { drag, setSelect } = selecting(onSelect);
  return (place) => ({
    height: 320,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag },
    ...zoneOf(step),
    scales: { y: { range: (_, __, max) => [0, (max ?? 1) * 1.1 || 1] } },
    axes: axes(place, { yText: text, step }),
    series: [
      {},
      ...Array.from({ length: count }, (_, index) => ({
        scale: 'y',
        stroke: cssColour(place, `--line-${index + 1}`),
        width: 1.75,
        dash: DASHES[index],
        spanGaps: false,
        points: { show: true, size: 4 },
      })),
    ],
    hooks: { setCursor: [(plot) => setHovered(plot.cursor.idx ?? null)], setSelect: [setSelect] },
  });
}

function valueText(value: number | null | undefined, text: (value: number) => string): string {
  return value == null ? '–' : text(value);
}
