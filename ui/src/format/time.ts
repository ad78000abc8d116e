const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const UTC_CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** `14:02:09`, in the reader's zone. */
export function clockTime(at: string | number | Date): string {
  return CLOCK.format(new Date(at));
}

/** `14:02:09` UTC, where days are UTC days. */
export function utcClock(at: string | number | Date): string {
  return UTC_CLOCK.format(new Date(at));
}

/** `21 Nov, 14:02`, in the reader's zone. */
export function shortTime(at: string | number | Date): string {
  return SHORT.format(new Date(at));
}

/** Date, time and zone, for titles and details. */
export function fullTime(at: string | number | Date): string {
  return FULL.format(new Date(at));
}

/** `Sat 21 Nov` of a UTC day `YYYY-MM-DD`. */
export function utcDay(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

/** `21 Nov 2026` of a UTC day `YYYY-MM-DD`, where the year is not plain. */
export function utcDate(date: string): string {
  return DATE.format(new Date(`${date}T00:00:00Z`));
}
