import { type AlertEnd, type AlertSeverity, USUAL_SEVERITY } from '../kinds/alert-kind.ts';

/** An alert that began or ended, as receivers are told of it. In JSON its times are texts. */
export interface AlertChange {
  /** Id of the alert: the same when it ends as when it began. */
  readonly id: string;
  readonly state: 'firing' | 'recovered';
  /** What its rule watches, as the API spells it. */
  readonly kind: string;
  /** The severity; absent in notices of older processes, for the usual one. */
  readonly severity?: AlertSeverity;
  readonly engineId: string | null;
  readonly title: string;
  readonly detail: string;
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** The reason for its end; null while it fires, absent in notices of older processes. */
  readonly endedBy?: AlertEnd | null;
}

/** The title and text of what is sent at once: the changes since the notice before. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const MOST_LINES = 20;

/** Beginnings of titles by severity; a critical one has none. */
const PREFIXES: Readonly<Record<AlertSeverity, string>> = { critical: '', warning: 'Warning: ', info: 'Info: ' };
const RANKS = Object.keys(PREFIXES);

/**
 * Makes a notice: one alert in its own words, several counted. Firing alerts come before ended ones, and the worst first.
 * `omitted`: the number of changes that were not kept.
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

/** The notice for trying a channel out. */
export const TEST_NOTICE: Notice = {
  title: 'Test of an alert channel',
  text: 'This channel works: alerts of ocr-router would arrive here.',
};

/** The severity of the alert. */
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

/** Whether the alert ended without a sign that all is well again. */
function isLeft({ state, endedBy }: AlertChange): boolean {
  return state === 'recovered' && endedBy != null && endedBy !== 'recovery';
}

function count(number: number, noun: 'alert' | 'recovery'): string {
  if (number === 0) return '';
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun === 'alert' ? 'alerts' : 'recoveries'}`;
}
