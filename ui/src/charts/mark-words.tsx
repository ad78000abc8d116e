import { type Mark, marksOfStep, shownSpan } from './marks.ts';
import type { Step } from './step.ts';

interface MarkWordsProps {
  readonly marks: readonly Mark[];
  readonly step: Step;
  /** The beginnings of the chart's hours or days. */
  readonly times: readonly number[];
  /** The one under the cursor. */
  readonly atMs: number | undefined;
}

/** What lasted in the hour or on the day under the cursor, as a part of a chart's legend; without a cursor, what the bands are. */
export function MarkWords({ marks, step, times, atMs }: MarkWordsProps) {
  const [fromMs = 0] = times;
  const chart = { fromMs, toMs: (times.at(-1) ?? fromMs) + step.ms };
  if (!marks.some((mark) => shownSpan(mark, chart) !== null)) return null;
  const words = atMs === undefined ? ['alerts'] : marksOfStep(marks, atMs, step);
  return words.map((each) => (
    <span key={each} data-line="mark">
      {each}
    </span>
  ));
}
