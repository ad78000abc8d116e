import { AppError } from '../../platform/errors.ts';

/** Times of day, `HH:MM`, by the clocks of a time zone; from 22:00 to 07:00 runs over midnight. */
export interface Quiet {
  readonly from: string;
  readonly to: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const LONGEST_ZONE = 64;

/** Quiet hours as they are stored; null for hours that begin and end at once, which are none. */
export function quietHours({ from, to, timeZone }: Quiet): Quiet | null {
  for (const [name, time] of Object.entries({ from, to })) {
    if (!TIME_OF_DAY.test(time)) throw new AppError('invalid_request', `${name}: a time of day is written as HH:MM.`);
  }
  if (!isTimeZone(timeZone)) {
    throw new AppError('invalid_request', 'timeZone: must be a name such as `Europe/Berlin` or `UTC`.');
  }
  return from === to ? null : { from, to, timeZone };
}

/** Whether a moment lies within the quiet hours. */
export function isQuiet(hours: Quiet | null, at: Date): boolean {
  if (!hours) return false;
  const now = minutesOf(clockIn(hours.timeZone, at));
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function clockIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    at,
  );
}

function isTimeZone(name: string): boolean {
  if (name.length > LONGEST_ZONE) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false; // a RangeError: it knows no such zone
  }
}

function minutesOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}
