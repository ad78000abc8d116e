/** An alert that began or ended, as its receivers are told of it. In JSON its times are texts. */
export interface AlertChange {
  /** Id of the alert: the same when it ends as when it began. */
  readonly id: string;
  readonly state: 'firing' | 'recovered';
  /** What its rule watches, as the API spells it. */
  readonly kind: string;
  readonly engineId: string | null;
  readonly title: string;
  readonly detail: string;
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
}

/** What is sent at once: the changes since the notice before it. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const MOST_LINES = 20;

/** One alert in its own words, several counted; what fires stands before what recovered. `omitted`: those not kept. */
export function noticeOf(changes: readonly AlertChange[], omitted = 0): Notice {
  const ordered = [...changes].sort((a, b) => Number(a.state === 'recovered') - Number(b.state === 'recovered'));
  const [first] = ordered;
  if (first && ordered.length === 1 && omitted === 0) return { title: titleOf(first), text: textOf(first) };
  const firing = ordered.filter(({ state }) => state === 'firing').length;
  const counts = [count(firing, 'alert'), count(ordered.length - firing, 'recovery')].filter((words) => words !== '');
  const lines = ordered
    .slice(0, MOST_LINES)
    .map((change) => [titleOf(change), textOf(change)].filter(Boolean).join(': '));
  const more = ordered.length - lines.length + omitted;
  return { title: counts.join(', '), text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') };
}

/** What a channel gets that is tried out. */
export const TEST_NOTICE: Notice = {
  title: 'Test of an alert channel',
  text: 'This channel works: alerts of ocr-router would arrive here.',
};

function titleOf({ state, title }: AlertChange): string {
  return state === 'recovered' ? `Recovered: ${title}` : title;
}

function textOf({ state, detail }: AlertChange): string {
  return state === 'recovered' ? '' : detail;
}

function count(number: number, noun: 'alert' | 'recovery'): string {
  if (number === 0) return '';
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun === 'alert' ? 'alerts' : 'recoveries'}`;
}
