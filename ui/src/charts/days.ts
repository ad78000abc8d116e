const DAY_MS = 86_400_000;

/** One day of checks, as the API has it. */
export interface CheckedDay {
  readonly date: string;
  readonly uptimePct: number;
  readonly checksTotal: number;
  readonly checksHealthy: number;
}

/** One place in an uptime strip: null where nothing was checked. */
export interface DaySlot {
  readonly date: string;
  readonly day: CheckedDay | null;
}

export type DayLook = 'good' | 'fair' | 'poor' | 'none';

/** Every day of the span, today last and included. */
export function everyDay(days: readonly CheckedDay[], span: number, nowMs: number): readonly DaySlot[] {
  const byDate = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: span }, (_, index) => {
    const date = new Date(nowMs - (span - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { date, day: byDate.get(date) ?? null };
  });
}

/** The thresholds of the strip, in percent. */
const GOOD_FROM = 99.9;
const FAIR_FROM = 99;

/** 99.9 % is good, 99 % is fair. */
export function dayLook(day: CheckedDay | null): DayLook {
  if (day === null || day.checksTotal === 0) return 'none';
  if (day.uptimePct >= GOOD_FROM) return 'good';
  return day.uptimePct >= FAIR_FROM ? 'fair' : 'poor';
}

/** What is seen at least of the failed part of a poor day, in percent of a bar's height. */
const LEAST_HEIGHT = 25;
/** And of a fair day's, which is lower. */
const LEAST_FAIR_HEIGHT = 12;
/** From so much failed time on, a bar is full: a few hours of a day are an outage. */
const FULL_AT = 20;

/** How high the failed part of a day is drawn, in percent: the worse the day, the more of its bar; nothing of a good one. */
export function failedHeight({ uptimePct }: Pick<CheckedDay, 'uptimePct'>): number {
  if (uptimePct >= GOOD_FROM) return 0;
  if (uptimePct >= FAIR_FROM) {
    const worse = (GOOD_FROM - uptimePct) / (GOOD_FROM - FAIR_FROM);
    return Math.round(LEAST_FAIR_HEIGHT + (LEAST_HEIGHT - LEAST_FAIR_HEIGHT) * worse);
  }
  const failedPct = 100 - uptimePct;
  return Math.round(Math.min(100, LEAST_HEIGHT + ((100 - LEAST_HEIGHT) * failedPct) / FULL_AT));
}

/** The day that failed most, of those that were checked; null where none failed. The latest of equal ones. */
export function worstDay(slots: readonly DaySlot[]): CheckedDay | null {
  const checked = slots.map(({ day }) => day).filter((day) => day !== null && day.checksTotal > 0);
  const worst = checked.reduce<CheckedDay | null>(
    (sofar, day) => (day !== null && (sofar === null || day.uptimePct <= sofar.uptimePct) ? day : sofar),
    null,
  );
  return worst !== null && worst.uptimePct < 100 ? worst : null;
}
