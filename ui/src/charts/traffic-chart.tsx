import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { count } from '../format/count.ts';
import { share } from '../format/percent.ts';
import { Empty } from '../states/empty.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import type { TimeSlot } from './hours.ts';
import { plotData, volumePlan } from './latency-plan.ts';
import { MarkWords } from './mark-words.tsx';
import { type Mark, marksOfStep, NO_MARKS, withMarks } from './marks.ts';
import type { Selected } from './selection.ts';
import { BY_HOUR, type Step } from './step.ts';
import { useClick } from './use-click.ts';
import { usePlot } from './use-plot.ts';

interface TrafficChartProps {
  readonly title: string;
  readonly slots: readonly TimeSlot[];
  /** What the slots are; hours when absent. */
  readonly step?: Step;
  /** What lasted from when to when; drawn behind the bars. */
  readonly marks?: readonly Mark[];
  /** How much there was, in words. */
  readonly note?: ReactNode;
  /** A click on an hour or a day that had any. */
  readonly onOpenSlot?: (atMs: number) => void;
  /** A part was drawn over. */
  readonly onSelect?: (part: Selected) => void;
}

const HEAD = ['Runs', 'Errors', 'Share', 'Alerts and deployments'];

/** How much there was by hour or by day, and how much of it failed. */
export function TrafficChart(props: TrafficChartProps) {
  const { title, slots, step = BY_HOUR, marks = NO_MARKS, note, onOpenSlot, onSelect } = props;
  const rows = () =>
    [...slots].reverse().map((slot) => [...rowOf(slot, step), marksOfStep(marks, slot.atMs, step).join('; ')]);
  return (
    <ChartFrame title={title} note={note} table={() => ({ head: [step.head, ...HEAD], rows: rows() })}>
      {slots.every(({ bucket }) => bucket === null) ? (
        <Empty title="No runs in this time" />
      ) : (
        <Bars {...{ title, slots, step, marks, onOpenSlot, onSelect }} />
      )}
    </ChartFrame>
  );
}

interface BarsProps extends TrafficChartProps {
  readonly step: Step;
  readonly marks: readonly Mark[];
}

function Bars({ title, slots, step, marks, onOpenSlot, onSelect }: BarsProps) {
  const sync = useId();
  const [hovered, onCursor] = useState<number | null>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  const plan = useMemo(() => {
    const choices = { step, sync, onCursor, onSelect: (part: Selected) => select.current?.(part) };
    return withMarks(volumePlan(choices), marks, step);
  }, [step, sync, marks]);
  const { volume } = useMemo(() => plotData(slots), [slots]);
  const place = usePlot(plan, volume);
  const slot = hovered === null ? undefined : slots[hovered];
  const bucket = slot?.bucket;
  const times = useMemo(() => slots.map(({ atMs }) => atMs), [slots]);
  const mouse = useClick(() => slot?.bucket && onOpenSlot?.(slot.atMs));
  return (
    <div className={classes['plots']}>
      <div className={classes['readout']}>
        <span className={classes['readoutHour']}>{slot ? step.text(slot.atMs) : `By ${step.word}`}</span>
        <span data-line="volume">runs{bucket ? ` ${count(bucket.requestCount)}` : ''}</span>
        <span data-line="errors">
          errors{bucket ? ` ${count(bucket.errorCount)} (${share(bucket.errorCount / bucket.requestCount)})` : ''}
        </span>
        {slot && !bucket && <span>no runs</span>}
        <MarkWords marks={marks} step={step} times={times} atMs={slot?.atMs} />
      </div>
      <div ref={place} role="img" aria-label={`${title}: runs and errors by ${step.word}`} {...mouse} />
    </div>
  );
}

function rowOf({ atMs, bucket }: TimeSlot, step: Step): readonly string[] {
  if (bucket === null) return [step.text(atMs), '0', '0', ''];
  const { requestCount, errorCount } = bucket;
  return [step.text(atMs), count(requestCount), count(errorCount), share(errorCount / requestCount)];
}
