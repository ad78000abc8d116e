import { Switch } from '@mantine/core';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { count } from '../format/count.ts';
import { duration } from '../format/duration.ts';
import { shortTime } from '../format/time.ts';
import { Empty } from '../states/empty.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import type { HourSlot } from './hours.ts';
import { latencyPlan, plotData, volumePlan } from './latency-plan.ts';
import { MarkWords } from './mark-words.tsx';
import { type Mark, marksOfHour, NO_MARKS, withMarks } from './marks.ts';
import type { Selected } from './selection.ts';
import { useClick } from './use-click.ts';
import { usePlot } from './use-plot.ts';

interface LatencyChartProps {
  readonly title: string;
  readonly slots: readonly HourSlot[];
  /** What lasted from when to when; drawn behind both plots. */
  readonly marks?: readonly Mark[];
  /** What stands beside the title. */
  readonly controls?: ReactNode;
  /** A click on an hour that has requests. */
  readonly onOpenHour?: (atMs: number) => void;
  /** A part was drawn over. */
  readonly onZoom?: (part: Selected) => void;
}

const HEAD = ['Hour', 'Requests', 'Errors', 'p50', 'p95', 'p99', 'Alerts'];

/** p50, p95 and p99 by hour over the volume and its errors, on one time axis with one cursor; gaps stay gaps. */
export function LatencyChart({ title, slots, marks = NO_MARKS, controls, onOpenHour, onZoom }: LatencyChartProps) {
  const [logarithmic, setLogarithmic] = useState(false);
  const toggle = (
    <Switch label="Log scale" checked={logarithmic} onChange={(event) => setLogarithmic(event.currentTarget.checked)} />
  );
  const rows = () => [...slots].reverse().map((slot) => [...rowOf(slot), marksOfHour(marks, slot.atMs).join('; ')]);
  const head = (
    <>
      {toggle}
      {controls}
    </>
  );
  return (
    <ChartFrame title={title} controls={head} table={() => ({ head: HEAD, rows: rows() })}>
      {slots.every(({ bucket }) => bucket === null) ? (
        <Empty title="No requests in this time" />
      ) : (
        <Plots {...{ title, slots, marks, logarithmic, onOpenHour, onZoom }} />
      )}
    </ChartFrame>
  );
}

interface PlotsProps extends Pick<LatencyChartProps, 'title' | 'slots' | 'onOpenHour' | 'onZoom'> {
  readonly marks: readonly Mark[];
  readonly logarithmic: boolean;
}

function Plots({ title, slots, marks, logarithmic, onOpenHour, onZoom }: PlotsProps) {
  const sync = useId();
  const [hovered, onCursor] = useState<number | null>(null);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const choices = useMemo(() => ({ sync, onCursor, onSelect: (part: Selected) => zoom.current?.(part) }), [sync]);
  const data = useMemo(() => plotData(slots), [slots]);
  const latency = useMemo(() => withMarks(latencyPlan(logarithmic, choices), marks), [logarithmic, choices, marks]);
  const volume = useMemo(() => withMarks(volumePlan(choices), marks), [choices, marks]);
  const latencyPlace = usePlot(latency, data.latency);
  const volumePlace = usePlot(volume, data.volume);
  const slot = hovered === null ? undefined : slots[hovered];
  const hours = useMemo(() => slots.map(({ atMs }) => atMs), [slots]);
  const mouse = useClick(() => slot?.bucket && onOpenHour?.(slot.atMs));
  return (
    <div className={classes['plots']}>
      <Readout slot={slot}>
        <MarkWords marks={marks} hours={hours} atMs={slot?.atMs} />
      </Readout>
      <div ref={latencyPlace} role="img" aria-label={`${title}: p50, p95 and p99 by hour`} {...mouse} />
      <div ref={volumePlace} role="img" aria-label={`${title}: requests and errors by hour`} {...mouse} />
    </div>
  );
}

/** The legend; with the cursor over an hour, its figures. */
function Readout({ slot, children }: { readonly slot: HourSlot | undefined; readonly children: ReactNode }) {
  const bucket = slot?.bucket;
  const value = (text: string | undefined) => (text === undefined ? '' : ` ${text}`);
  return (
    <div className={classes['readout']}>
      <span className={classes['readoutHour']}>{slot ? shortTime(slot.atMs) : 'By hour'}</span>
      <span data-line="p50">p50{value(bucket ? duration(bucket.p50Ms) : undefined)}</span>
      <span data-line="p95">p95{value(bucket ? duration(bucket.p95Ms) : undefined)}</span>
      <span data-line="p99">p99{value(bucket ? duration(bucket.p99Ms) : undefined)}</span>
      <span data-line="volume">requests{value(bucket ? count(bucket.requestCount) : undefined)}</span>
      <span data-line="errors">errors{value(bucket ? count(bucket.errorCount) : undefined)}</span>
      {slot && !bucket && <span>no requests</span>}
      {children}
    </div>
  );
}

function rowOf({ atMs, bucket }: HourSlot): readonly string[] {
  if (bucket === null) return [shortTime(atMs), '0', '', '', '', ''];
  const { requestCount, errorCount, p50Ms, p95Ms, p99Ms } = bucket;
  return [shortTime(atMs), count(requestCount), count(errorCount), duration(p50Ms), duration(p95Ms), duration(p99Ms)];
}
