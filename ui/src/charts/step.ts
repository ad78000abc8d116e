import { shortTime, utcDay } from '../format/time.ts';

/** What each column of a chart is of. */
export interface Step {
  readonly word: 'hour' | 'day';
  readonly ms: number;
  /** The head of its column in a table. */
  readonly head: string;
  /** How one of them is called, by its beginning. */
  readonly text: (atMs: number) => string;
}

export const BY_HOUR: Step = { word: 'hour', ms: 3_600_000, head: 'Hour', text: shortTime };

/** UTC days, whatever the reader's zone: those are what the gateway counts by. */
export const BY_DAY: Step = {
  word: 'day',
  ms: 86_400_000,
  head: 'Day (UTC)',
  text: (atMs) => utcDay(new Date(atMs).toISOString().slice(0, 10)),
};
