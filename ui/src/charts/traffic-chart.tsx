import { type ReactNode, useId, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import { count } from '../format/count.ts';
import { share } from '../format/percent.ts';
import { shortTime } from '../format/time.ts';
import { Empty } from '../states/empty.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import { cssColour } from './css-colour.ts';
import type { HourSlot } from './hours.ts';
import { plotData, volumePlan } from './latency-plan.ts';
import { type PlotPlan, usePlot } from './use-plot.ts';

/** Something that happened at a time. */
interface Mark {
  readonly atMs: number;
  readonly title: string;
}

interface TrafficChartProps {
  readonly title: string;
  readonly slots: readonly HourSlot[];
  /** What began when; drawn as lines. */
  readonly marks?: readonly Mark[];
  readonly controls?: ReactNode;
  /** A click on an hour that had any. */
  readonly onOpenHour?: (atMs: number) => void;
}

const HEAD = ['Hour', 'Runs', 'Errors', 'Share'];
const HOUR_MS = 3_600_000;
const MOST_NAMED = 3;
const NO_MARKS: readonly Mark[] = [];

/** How much there was hour by hour, and how much of it failed. */
export function TrafficChart({ title, slots, marks = NO_MARKS, controls, onOpenHour }: TrafficChartProps) {
  return (
    <ChartFrame title={title} controls={controls} table={() => ({ head: HEAD, rows: [...slots].reverse().map(rowOf) })}>
      {slots.every(({ bucket }) => bucket === null) ? (
        <Empty title="No runs in this time" />
      ) : (
        <Bars title={title} slots={slots} marks={marks} onOpenHour={onOpenHour} />
      )}
    </ChartFrame>
  );
}

function Bars({ title, slots, marks = NO_MARKS, onOpenHour }: TrafficChartProps) {
  const sync = useId();
  const [hovered, onCursor] = useState<number | null>(null);
  const plan = useMemo(() => withMarks(volumePlan({ sync, onCursor, onSelect: () => {} }), marks), [sync, marks]);
  const { volume } = useMemo(() => plotData(slots), [slots]);
  const place = usePlot(plan, volume);
  const slot = hovered === null ? undefined : slots[hovered];
  const bucket = slot?.bucket;
  const mouse = { onClick: () => slot?.bucket && onOpenHour?.(slot.atMs) };
  return (
    <div className={classes['plots']}>
      <div className={classes['readout']}>
        <span className={classes['readoutHour']}>{slot ? shortTime(slot.atMs) : 'By hour'}</span>
        <span data-line="volume">runs{bucket ? ` ${count(bucket.requestCount)}` : ''}</span>
        <span data-line="errors">
          errors{bucket ? ` ${count(bucket.errorCount)} (${share(bucket.errorCount / bucket.requestCount)})` : ''}
        </span>
        {slot && !bucket && <span>no runs</span>}
        {slot &&
          within(marks, slot.atMs).map(({ atMs, title: what }) => (
            <span key={`${atMs} ${what}`} data-line="mark">
              {what}
            </span>
          ))}
      </div>
      <div ref={place} role="img" aria-label={`${title}: runs and errors by hour`} {...mouse} />
    </div>
  );
}

/** A plot with a line from top to bottom for each mark. */
function withMarks(plan: PlotPlan, marks: readonly Mark[]): PlotPlan {
  return (place) => {
    const options = plan(place);
    const colour = cssColour(place, '--status-down');
    const draw = (plot: uPlot): void => {
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.strokeStyle = colour;
      ctx.setLineDash([4, 3]);
      for (const { atMs } of marks) {
        const x = Math.round(plot.valToPos(atMs / 1000, 'x', true));
        if (x < bbox.left || x > bbox.left + bbox.width) continue;
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
      ctx.restore();
    };
    return { ...options, hooks: { ...options.hooks, draw: [draw] } };
  };
}

function within(marks: readonly Mark[], hourMs: number): readonly Mark[] {
  return marks.filter(({ atMs }) => atMs >= hourMs && atMs < hourMs + HOUR_MS).slice(0, MOST_NAMED);
}

function rowOf({ atMs, bucket }: HourSlot): readonly string[] {
  if (bucket === null) return [shortTime(atMs), '0', '0', ''];
  const { requestCount, errorCount } = bucket;
  return [shortTime(atMs), count(requestCount), count(errorCount), share(errorCount / requestCount)];
}
