import type uPlot from 'uplot';
import { shortTime } from '../format/time.ts';
import { cssColour, fade } from './css-colour.ts';
import type { Step } from './step.ts';
import type { PlotPlan } from './use-plot.ts';

/** Something that lasted, such as an alert, or a moment, such as a deployment. */
export interface Mark {
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  readonly title: string;
  readonly tone: 'down' | 'degraded' | 'quiet' | 'deployment';
}

/** A stretch of time. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const NO_MARKS: readonly Mark[] = [];

const MOST_NAMED = 3;
/** However short it was, it can be seen. */
const LEAST_PX = 3;
const EDGE_PX = 3;

/** A plot of such steps with a band behind it for each mark, from when it began to when it was over. */
export function withMarks(plan: PlotPlan, marks: readonly Mark[], step: Step): PlotPlan {
  if (marks.length === 0) return plan;
  return (place) => {
    const options = plan(place);
    const colours: Readonly<Record<Mark['tone'], string>> = {
      down: cssColour(place, '--status-down'),
      degraded: cssColour(place, '--status-degraded'),
      quiet: cssColour(place, '--status-quiet'),
      deployment: cssColour(place, '--text-link'),
    };
    const drawClear = (plot: uPlot): void => {
      const { min, max } = plot.scales['x'] ?? {};
      if (min == null || max == null) return;
      const shown = { fromMs: min * 1000, toMs: max * 1000 + step.ms };
      for (const mark of marks) {
        const span = shownSpan(mark, shown);
        if (span === null) continue;
        const look = { colour: colours[mark.tone], step };
        if (mark.tone === 'deployment') drawMoment(plot, span.fromMs, look);
        else drawBand(plot, span, look);
      }
    };
    return { ...options, hooks: { ...options.hooks, drawClear: [drawClear] } };
  };
}

/** As much of a mark as is within a time; null for nothing of it. */
export function shownSpan({ fromMs, toMs }: Pick<Mark, 'fromMs' | 'toMs'>, time: Span): Span | null {
  const shown = { fromMs: Math.max(fromMs, time.fromMs), toMs: Math.min(toMs ?? time.toMs, time.toMs) };
  return shown.fromMs < time.toMs && shown.toMs >= time.fromMs ? shown : null;
}

/** What lasted in an hour or on a day: three at most, and how many more. */
export function marksOfStep(marks: readonly Mark[], atMs: number, { ms }: Step): readonly string[] {
  const time = { fromMs: atMs, toMs: atMs + ms };
  const mine = [...new Set(marks.filter((mark) => shownSpan(mark, time) !== null).map(wordsOf))];
  const more = mine.length - MOST_NAMED;
  return more > 0 ? [...mine.slice(0, MOST_NAMED), `and ${more} more`] : mine;
}

function wordsOf({ title, fromMs, toMs }: Mark): string {
  if (toMs === fromMs) return `${title}, ${shortTime(fromMs)}`;
  return toMs === null
    ? `${title}, since ${shortTime(fromMs)}`
    : `${title}, ${shortTime(fromMs)} to ${shortTime(toMs)}`;
}

interface Look {
  readonly colour: string;
  readonly step: Step;
}

/** A figure stands in the middle of its hour or day: half of it is on either side. */
function drawBand(plot: uPlot, { fromMs, toMs }: Span, { colour, step }: Look): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  const place = (ms: number): number => placeOf(plot, ms, step);
  const from = Math.min(Math.max(place(fromMs), bbox.left), right - LEAST_PX);
  const to = Math.max(Math.min(place(toMs), right), from + LEAST_PX);
  ctx.save();
  ctx.fillStyle = fade(colour, 0.14);
  ctx.fillRect(from, bbox.top, to - from, bbox.height);
  // Where several lie upon each other, each still has an edge.
  ctx.fillStyle = colour;
  ctx.fillRect(from, bbox.top, to - from, EDGE_PX);
  ctx.restore();
}

/** A dashed line from top to bottom. */
function drawMoment(plot: uPlot, atMs: number, { colour, step }: Look): void {
  const { ctx, bbox } = plot;
  const at = Math.min(Math.max(placeOf(plot, atMs, step), bbox.left), bbox.left + bbox.width);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(at, bbox.top);
  ctx.lineTo(at, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function placeOf(plot: uPlot, ms: number, step: Step): number {
  return plot.valToPos((ms - step.ms / 2) / 1000, 'x', true);
}
