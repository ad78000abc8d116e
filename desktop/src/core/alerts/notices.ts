import type { Alert, AlertNotice, AlertSeverity } from '../../shared/alerts.ts';

const GROUP_MS = 60_000;

/** Gives notice of the first alerts at once, and of those that follow within a minute together at its end. */
export class Notices implements Disposable {
  readonly #tell: (notice: AlertNotice) => void;
  readonly #groupMs: number;
  #held: Alert[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (notice: AlertNotice) => void, groupMs = GROUP_MS) {
    this.#tell = tell;
    this.#groupMs = groupMs;
  }

  add(alerts: readonly Alert[]): void {
    this.#held.push(...alerts);
    if (!this.#timer) this.#flush();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    this.#held = [];
  }

  #flush(): void {
    this.#timer = null;
    if (this.#held.length === 0) return;
    const alerts = this.#held;
    this.#held = [];
    this.#timer = setTimeout(() => this.#flush(), this.#groupMs);
    this.#tell(noticeOf(alerts));
  }
}

/** Severities as words in titles; a critical alert needs none. */
const PREFIXES: Readonly<Record<AlertSeverity, string>> = { critical: '', warning: 'Warning: ', info: 'Info: ' };
const RANKS = Object.keys(PREFIXES);

/** One alert by its own text, several by their number. Firing alerts come before ended ones, the most severe first. */
export function noticeOf(alerts: readonly Alert[]): AlertNotice {
  const ordered = [...alerts].sort((a, b) => rankOf(a) - rankOf(b));
  const [first] = ordered;
  if (first && ordered.length === 1) {
    const body = first.state === 'recovered' ? '' : first.detail;
    return { title: titleOf(first), body, path: first.path, alerts: ordered };
  }
  const firing = ordered.filter(({ state }) => state === 'firing').length;
  const left = ordered.filter(({ state }) => state === 'left').length;
  const counts = [
    count(firing, 'alert'),
    count(ordered.length - firing - left, 'recovery'),
    left > 0 ? `${left} no longer watched` : '',
  ].filter((words) => words !== '');
  const body = ordered.map(titleOf).join('\n');
  return { title: counts.join(', '), body, path: '/alerts', alerts: ordered };
}

function rankOf({ state, severity }: Alert): number {
  if (state === 'left') return RANKS.length + 1;
  return state === 'recovered' ? RANKS.length : RANKS.indexOf(severity);
}

function titleOf({ state, severity, title }: Alert): string {
  if (state === 'left') return `No longer watched: ${title}`;
  return state === 'recovered' ? `Recovered: ${title}` : `${PREFIXES[severity]}${title}`;
}

function count(number: number, noun: 'alert' | 'recovery'): string {
  if (number === 0) return '';
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun === 'alert' ? 'alerts' : 'recoveries'}`;
}
