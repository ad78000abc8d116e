import { type Mark, marksOfHour, shownSpan } from './marks.ts';

const HOUR_MS = 3_600_000;

interface MarkWordsProps {
  readonly marks: readonly Mark[];
  /** The hours of the chart. */
  readonly hours: readonly number[];
  /** The hour under the cursor. */
  readonly atMs: number | undefined;
}

/** What lasted in the hour under the cursor, as a part of a chart's legend; without a cursor, what the bands are. */
export function MarkWords({ marks, hours, atMs }: MarkWordsProps) {
  const [fromMs = 0] = hours;
  const chart = { fromMs, toMs: (hours.at(-1) ?? fromMs) + HOUR_MS };
  if (!marks.some((mark) => shownSpan(mark, chart) !== null)) return null;
  const words = atMs === undefined ? ['alerts'] : marksOfHour(marks, atMs);
  return words.map((each) => (
    <span key={each} data-line="mark">
      {each}
    </span>
  ));
}
