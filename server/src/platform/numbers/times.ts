export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Midnight, UTC; of as many days before as are named. */
export function startOfDay(now: Date, daysBefore = 0): Date {
  return new Date(now.getTime() - (now.getTime() % DAY_MS) - daysBefore * DAY_MS);
}
