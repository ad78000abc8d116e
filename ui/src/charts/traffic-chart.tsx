import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { count } from '../format/count.ts';
import { share } from '../format/percent.ts';
import { shortTime } from '../format/time.ts';
import { Empty } from '../states/empty.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import type { HourSlot } from './hours.ts';
import { plotData, volumePlan } from './latency-plan.ts';
import { MarkWords } from './mark-words.tsx';
import { type Mark, marksOfHour, NO_MARKS, withMarks } from './marks.ts';
import type { Selected } from './selection.ts';
import { useClick } from './use-click.ts';
import { usePlot } from './use-plot.ts';

interface TrafficChartProps {
  readonly title: string;
  readonly slots: readonly HourSlot[];
  /** What lasted from when to when; drawn behind the bars. */
  readonly marks?: readonly Mark[];
  readonly controls?: ReactNode;
  /** A click on an hour that had any. */
  readonly onOpenHour?: (atMs: number) => void;
  /** A part was drawn over. */
  readonly onSelect?: (part: Selected) => void;
}

const HEAD = ['Hour', 'Runs', 'Errors', 'Share', 'Alerts'];

/** How much there was hour by hour, and how much of it failed. */
export function TrafficChart({ title, slots, marks = NO_MARKS, controls, onOpenHour, onSelect }: TrafficChartProps) {
  const rows = () => [...slots].reverse().map((slot) => [...rowOf(slot), marksOfHour(marks, slot.atMs).join('; ')]);
  return (
    <ChartFrame title={title} controls={controls} table={() => ({ head: HEAD, rows: rows() })}>
      {slots.every(({ bucket }) => bucket === null) ? (
        <Empty title="No runs in this time" />
      ) : (
        <Bars {...{ title, slots, marks, onOpenHour, onSelect }} />
      )}
    </ChartFrame>
  );
}

function Bars({ title, slots, marks = NO_MARKS, onOpenHour, onSelect }: TrafficChartProps) {
  const sync = useId();
  const [hovered, onCursor] = useState<number | null>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  const plan = useMemo(() => {
    const choices = { sync, onCursor, onSelect: (part: Selected) => select.current?.(part) };
    return withMarks(volumePlan(choices), marks);
  }, [sync, marks]);
  const { volume } = useMemo(() => plotData(slots), [slots]);
  const place = usePlot(plan, volume);
  const slot = hovered === null ? undefined : slots[hovered];
  const bucket = slot?.bucket;
  const hours = useMemo(() => slots.map(({ atMs }) => atMs), [slots]);
  const mouse = useClick(() => slot?.bucket && onOpenHour?.(slot.atMs));
  return (
    <div className={classes['plots']}>
      <div className={classes['readout']}>
        <span className={classes['readoutHour']}>{slot ? shortTime(slot.atMs) : 'By hour'}</span>
        <span data-line="volume">runs{bucket ? ` ${count(bucket.requestCount)}` : ''}</span>
        <span data-line="errors">
          errors{bucket ? ` ${count(bucket.errorCount)} (${share(bucket.errorCount / bucket.requestCount)})` : ''}
        </span>
        {slot && !bucket && <span>no runs</span>}
        <MarkWords marks={marks} hours={hours} atMs={slot?.atMs} />
      </div>
      <div ref={place} role="img" aria-label={`${title}: runs and errors by hour`} {...mouse} />
    </div>
  );
}

function rowOf({ atMs, bucket }: HourSlot): readonly string[] {
  if (bucket === null) return [shortTime(atMs), '0', '0', ''];
  const { requestCount, errorCount } = bucket;
  return [shortTime(atMs), count(requestCount), count(errorCount), share(errorCount / requestCount)];
}
