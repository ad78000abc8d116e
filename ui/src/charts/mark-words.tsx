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

type Tone = Mark['tone'];

const WORST_FIRST: readonly Tone[] = ['down', 'degraded', 'quiet'];

/** What lasted, or was, in the hour or on the day under the cursor, as a part of a chart's legend; without a cursor, what is drawn. */
export function MarkWords({ marks, step, times, atMs }: MarkWordsProps) {
  const [fromMs = 0] = times;
  const chart = { fromMs, toMs: (times.at(-1) ?? fromMs) + step.ms };
  const shown = marks.filter((mark) => shownSpan(mark, chart) !== null);
  const isDeployment = ({ tone }: Mark): boolean => tone === 'deployment';
  const kinds = [
    { name: 'alerts', of: shown.filter((mark) => !isDeployment(mark)) },
    { name: 'deployments', of: shown.filter(isDeployment) },
  ];
  return kinds.flatMap(({ name, of }) =>
    (atMs === undefined ? of.slice(0, 1).map(() => name) : marksOfStep(of, atMs, step)).map((words) => (
      <span key={words} data-line="mark" data-tone={toneOf(of)}>
        {words}
      </span>
    )),
  );
}

function toneOf(marks: readonly Mark[]): Tone {
  return WORST_FIRST.find((tone) => marks.some((mark) => mark.tone === tone)) ?? 'deployment';
}
