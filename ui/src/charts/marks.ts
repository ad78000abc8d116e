import type uPlot from 'uplot';
import { shortTime } from '../format/time.ts';
import { cssColour, fade } from './css-colour.ts';
import type { PlotPlan } from './use-plot.ts';

/** Something that lasted, such as an alert. */
export interface Mark {
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  readonly title: string;
  readonly tone: 'down' | 'degraded' | 'quiet';
}

/** A stretch of time. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const NO_MARKS: readonly Mark[] = [];

const HOUR_MS = 3_600_000;
const MOST_NAMED = 3;
/** However short it was, it can be seen. */
const LEAST_PX = 3;
const EDGE_PX = 3;

/** A plot of hours with a band behind it for each mark, from when it began to when it was over. */
export function withMarks(plan: PlotPlan, marks: readonly Mark[]): PlotPlan {
  if (marks.length === 0) return plan;
  return (place) => {
    const options = plan(place);
    const colours: Readonly<Record<Mark['tone'], string>> = {
      down: cssColour(place, '--status-down'),
      degraded: cssColour(place, '--status-degraded'),
      quiet: cssColour(place, '--status-quiet'),
    };
    const drawClear = (plot: uPlot): void => {
      const { min, max } = plot.scales['x'] ?? {};
      if (min == null || max == null) return;
      const hours = { fromMs: min * 1000, toMs: max * 1000 + HOUR_MS };
      for (const mark of marks) {
        const span = shownSpan(mark, hours);
        if (span) drawBand(plot, span, colours[mark.tone]);
      }
    };
    return { ...options, hooks: { ...options.hooks, drawClear: [drawClear] } };
  };
}

/** As much of a mark as is within the hours; null for nothing of it. */
export function shownSpan({ fromMs, toMs }: Pick<Mark, 'fromMs' | 'toMs'>, hours: Span): Span | null {
  const shown = { fromMs: Math.max(fromMs, hours.fromMs), toMs: Math.min(toMs ?? hours.toMs, hours.toMs) };
  return shown.fromMs < hours.toMs && shown.toMs >= hours.fromMs ? shown : null;
}

/** What lasted in an hour: three at most, and how many more. */
export function marksOfHour(marks: readonly Mark[], atMs: number): readonly string[] {
  const hour = { fromMs: atMs, toMs: atMs + HOUR_MS };
  const mine = [...new Set(marks.filter((mark) => shownSpan(mark, hour) !== null).map(wordsOf))];
  const more = mine.length - MOST_NAMED;
  return more > 0 ? [...mine.slice(0, MOST_NAMED), `and ${more} more`] : mine;
}

function wordsOf({ title, fromMs, toMs }: Mark): string {
  return toMs === null
    ? `${title}, since ${shortTime(fromMs)}`
    : `${title}, ${shortTime(fromMs)} to ${shortTime(toMs)}`;
}

/** An hour's figure stands in the middle of its hour: half of it is on either side. */
function drawBand(plot: uPlot, { fromMs, toMs }: Span, colour: string): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  const place = (ms: number): number => plot.valToPos((ms - HOUR_MS / 2) / 1000, 'x', true);
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
