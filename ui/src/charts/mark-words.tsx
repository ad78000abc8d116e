import { type Mark, marksOfHour } from './marks.ts';

interface MarkWordsProps {
  readonly marks: readonly Mark[];
  /** The hour under the cursor; nothing is said without one. */
  readonly atMs: number | undefined;
}

/** What lasted in the hour under the cursor, as a part of a chart's legend. */
export function MarkWords({ marks, atMs }: MarkWordsProps) {
  if (atMs === undefined) return null;
  return marksOfHour(marks, atMs).map((words) => (
    <span key={words} data-line="mark">
      {words}
    </span>
  ));
}
