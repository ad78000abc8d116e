import { Switch } from '@mantine/core';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { count } from '../format/count.ts';
import { duration } from '../format/duration.ts';
import { Empty } from '../states/empty.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import type { TimeSlot } from './hours.ts';
import { latencyPlan, plotData, volumePlan } from './latency-plan.ts';
import { MarkWords } from './mark-words.tsx';
import { type Mark, marksOfStep, NO_MARKS, withMarks } from './marks.ts';
import type { Selected } from './selection.ts';
import { BY_HOUR, type Step } from './step.ts';
import { useClick } from './use-click.ts';
import { usePlot } from './use-plot.ts';

interface LatencyChartProps {
  readonly title: string;
  readonly slots: readonly TimeSlot[];
  /** What the slots are; hours when absent. */
  readonly step?: Step;
  /** What lasted from when to when; drawn behind both plots. */
  readonly marks?: readonly Mark[];
  /** What stands beside the title. */
  readonly controls?: ReactNode;
  /** A click on an hour or a day that has requests. */
  readonly onOpenSlot?: (atMs: number) => void;
  /** A part was drawn over. */
  readonly onZoom?: (part: Selected) => void;
}

const HEAD = ['Runs', 'Errors', 'p50', 'p95', 'p99', 'Alerts and deployments'];

/** p50, p95 and p99 by hour or by day over the volume and its errors, on one time axis with one cursor; gaps stay gaps. */
export function LatencyChart(props: LatencyChartProps) {
  const { title, slots, step = BY_HOUR, marks = NO_MARKS, controls, onOpenSlot, onZoom } = props;
  const [logarithmic, setLogarithmic] = useState(false);
  const toggle = (
    <Switch label="Log scale" checked={logarithmic} onChange={(event) => setLogarithmic(event.currentTarget.checked)} />
  );
  const rows = () =>
    [...slots].reverse().map((slot) => [...rowOf(slot, step), marksOfStep(marks, slot.atMs, step).join('; ')]);
  const head = (
    <>
      {toggle}
      {controls}
    </>
  );
  return (
    <ChartFrame title={title} controls={head} table={() => ({ head: [step.head, ...HEAD], rows: rows() })}>
      {slots.every(({ bucket }) => bucket === null) ? (
        <Empty title="No runs in this time" />
      ) : (
        <Plots {...{ title, slots, step, marks, logarithmic, onOpenSlot, onZoom }} />
      )}
    </ChartFrame>
  );
}

interface PlotsProps extends Pick<LatencyChartProps, 'title' | 'slots' | 'onOpenSlot' | 'onZoom'> {
  readonly step: Step;
  readonly marks: readonly Mark[];
  readonly logarithmic: boolean;
}

function Plots({ title, slots, step, marks, logarithmic, onOpenSlot, onZoom }: PlotsProps) {
  const sync = useId();
  const [hovered, onCursor] = useState<number | null>(null);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const choices = useMemo(
    () => ({ step, sync, onCursor, onSelect: (part: Selected) => zoom.current?.(part) }),
    [step, sync],
  );
  const data = useMemo(() => plotData(slots), [slots]);
  const latency = useMemo(
    () => withMarks(latencyPlan(logarithmic, choices), marks, choices.step),
    [logarithmic, choices, marks],
  );
  const volume = useMemo(() => withMarks(volumePlan(choices), marks, choices.step), [choices, marks]);
  const latencyPlace = usePlot(latency, data.latency);
  const volumePlace = usePlot(volume, data.volume);
  const slot = hovered === null ? undefined : slots[hovered];
  const times = useMemo(() => slots.map(({ atMs }) => atMs), [slots]);
  const mouse = useClick(() => slot?.bucket && onOpenSlot?.(slot.atMs));
  return (
    <div className={classes['plots']}>
      <Readout slot={slot} step={step}>
        <MarkWords marks={marks} step={step} times={times} atMs={slot?.atMs} />
      </Readout>
      <div ref={latencyPlace} role="img" aria-label={`${title}: p50, p95 and p99 by ${step.word}`} {...mouse} />
      <div ref={volumePlace} role="img" aria-label={`${title}: runs and errors by ${step.word}`} {...mouse} />
    </div>
  );
}

interface ReadoutProps {
  readonly slot: TimeSlot | undefined;
  readonly step: Step;
  readonly children: ReactNode;
}

/** The legend; with the cursor over an hour or a day, its figures. */
function Readout({ slot, step, children }: ReadoutProps) {
  const bucket = slot?.bucket;
  const value = (text: string | undefined) => (text === undefined ? '' : ` ${text}`);
  return (
    <div className={classes['readout']}>
      <span className={classes['readoutHour']}>{slot ? step.text(slot.atMs) : `By ${step.word}`}</span>
      <span data-line="p50">p50{value(bucket ? duration(bucket.p50Ms) : undefined)}</span>
      <span data-line="p95">p95{value(bucket ? duration(bucket.p95Ms) : undefined)}</span>
      <span data-line="p99">p99{value(bucket ? duration(bucket.p99Ms) : undefined)}</span>
      <span data-line="volume">runs{value(bucket ? count(bucket.requestCount) : undefined)}</span>
      <span data-line="errors">errors{value(bucket ? count(bucket.errorCount) : undefined)}</span>
      {slot && !bucket && <span>no runs</span>}
      {children}
    </div>
  );
}

function rowOf({ atMs, bucket }: TimeSlot, step: Step): readonly string[] {
  if (bucket === null) return [step.text(atMs), '0', '', '', '', ''];
  const { requestCount, errorCount, p50Ms, p95Ms, p99Ms } = bucket;
  return [step.text(atMs), count(requestCount), count(errorCount), duration(p50Ms), duration(p95Ms), duration(p99Ms)];
}
