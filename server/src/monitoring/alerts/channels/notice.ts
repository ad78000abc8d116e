import { type AlertEnd, type AlertSeverity, USUAL_SEVERITY } from '../kinds/alert-kind.ts';

/** An alert that began or ended, as its receivers are told of it. In JSON its times are texts. */
export interface AlertChange {
  /** Id of the alert: the same when it ends as when it began. */
  readonly id: string;
  readonly state: 'firing' | 'recovered';
  /** What its rule watches, as the API spells it. */
  readonly kind: string;
  /** Absent in notices of processes that knew of none: as usual. */
  readonly severity?: AlertSeverity;
  readonly engineId: string | null;
  readonly title: string;
  readonly detail: string;
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** Null while it fires; absent in notices of processes that did not say it. */
  readonly endedBy?: AlertEnd | null;
}

/** What is sent at once: the changes since the notice before it. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const MOST_LINES = 20;

/** In titles; what is critical is told without a word more. */
const PREFIXES: Readonly<Record<AlertSeverity, string>> = { critical: '', warning: 'Warning: ', info: 'Info: ' };
const RANKS = Object.keys(PREFIXES);

/**
 * One alert in its own words, several counted; what fires stands before what ended, and the worst first. `omitted`:
 * those not kept.
 */
export function noticeOf(changes: readonly AlertChange[], omitted = 0): Notice {
  const ordered = [...changes].sort((a, b) => rankOf(a) - rankOf(b));
  const [first] = ordered;
  if (first && ordered.length === 1 && omitted === 0) return { title: titleOf(first), text: textOf(first) };
  const firing = ordered.filter(({ state }) => state === 'firing').length;
  const left = ordered.filter(isLeft).length;
  const counts = [
    count(firing, 'alert'),
    count(ordered.length - firing - left, 'recovery'),
    left > 0 ? `${left} no longer watched` : '',
  ].filter((words) => words !== '');
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

/** How soon somebody must look at it. */
export function severityOf({ severity }: AlertChange): AlertSeverity {
  return severity ?? USUAL_SEVERITY;
}

function rankOf(change: AlertChange): number {
  if (isLeft(change)) return RANKS.length + 1;
  return change.state === 'recovered' ? RANKS.length : RANKS.indexOf(severityOf(change));
}

function titleOf(change: AlertChange): string {
  const { state, title } = change;
  if (isLeft(change)) return `No longer watched: ${title}`;
  return state === 'recovered' ? `Recovered: ${title}` : `${PREFIXES[severityOf(change)]}${title}`;
}

function textOf(change: AlertChange): string {
  return change.state === 'recovered' && !isLeft(change) ? '' : change.detail;
}

/** Whether it ended without a sign that it is well again. */
function isLeft({ state, endedBy }: AlertChange): boolean {
  return state === 'recovered' && endedBy != null && endedBy !== 'recovery';
}

function count(number: number, noun: 'alert' | 'recovery'): string {
  if (number === 0) return '';
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun === 'alert' ? 'alerts' : 'recoveries'}`;
}
