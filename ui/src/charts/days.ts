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

/** The thresholds of the strip: 99.9 % is good, 99 % is fair. */
export function dayLook(day: CheckedDay | null): DayLook {
  if (day === null || day.checksTotal === 0) return 'none';
  if (day.uptimePct >= 99.9) return 'good';
  return day.uptimePct >= 99 ? 'fair' : 'poor';
}
