import { duration } from '../format/duration.ts';
import classes from './charts.module.css';
import type { TimeSlot } from './hours.ts';

const HEIGHT = 32;
const STEP = 10;

interface SparklineProps {
  readonly slots: readonly TimeSlot[];
  readonly label: string;
  /** Above the drawing, which is as wide as its place. */
  readonly caption: string;
}

/** p95 over some hours as a line with gaps, and a tick under every hour that had errors. */
export function Sparkline({ slots, label, caption }: SparklineProps) {
  const values = slots.map(({ bucket }) => bucket?.p95Ms ?? null);
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, ...known);
  const width = Math.max(1, slots.length - 1) * STEP;
  const y = (value: number): number => HEIGHT - 2 - (value / top) * (HEIGHT - 4);
  const words =
    known.length === 0
      ? `${label}: nothing measured`
      : `${label}: from ${duration(Math.min(...known))} to ${duration(top)}, ${errorsOf(slots)} errors`;
  return (
    <div>
      <div className={classes['sparkHead']} aria-hidden>
        <span>{caption}</span>
        {/* What the top of the drawing stands for. */}
        {known.length > 0 && <span>{duration(top)}</span>}
      </div>
      <svg className={classes['spark']} viewBox={`0 0 ${width} ${HEIGHT + 8}`} preserveAspectRatio="none" role="img">
        <title>{words}</title>
        <line className={classes['sparkBase']} x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} />
        <path className={classes['sparkArea']} d={areaOf(values, y)} />
        <path className={classes['sparkLine']} d={lineOf(values, y)} />
        {slots.map(({ atMs, bucket }, index) =>
          bucket !== null && bucket.errorCount > 0 ? (
            <line key={atMs} className={classes['sparkError']} x1={index * STEP} x2={index * STEP} y1="34" y2="40" />
          ) : null,
        )}
      </svg>
    </div>
  );
}

function errorsOf(slots: readonly TimeSlot[]): number {
  return slots.reduce((sum, { bucket }) => sum + (bucket?.errorCount ?? 0), 0);
}

/** Runs of hours that follow each other; a lone hour is a short dash, or nobody would see it. */
function runsOf(values: ReadonlyArray<number | null>): Array<Array<readonly [x: number, value: number]>> {
  const runs: Array<Array<readonly [number, number]>> = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const open = values[index - 1] ?? null;
    if (open === null || runs.length === 0) runs.push([]);
    runs.at(-1)?.push([index * STEP, value]);
  });
  return runs.map((run) => {
    const [only] = run;
    return run.length === 1 && only ? [[only[0] - 2, only[1]] as const, [only[0] + 2, only[1]] as const] : run;
  });
}

function lineOf(values: ReadonlyArray<number | null>, y: (value: number) => number): string {
  return runsOf(values)
    .map((run) => `M${run.map(([x, value]) => `${x} ${y(value).toFixed(1)}`).join('L')}`)
    .join('');
}

function areaOf(values: ReadonlyArray<number | null>, y: (value: number) => number): string {
  return runsOf(values)
    .map((run) => {
      const line = run.map(([x, value]) => `${x} ${y(value).toFixed(1)}`).join('L');
      return `M${run[0]?.[0]} ${HEIGHT}L${line}L${run.at(-1)?.[0]} ${HEIGHT}Z`;
    })
    .join('');
}
