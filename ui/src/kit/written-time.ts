const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MINUTE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/;

/** A day as it is written everywhere here, `2026-11-21`; null for a half one, and for a day that no month has. */
export function dayOf(text: string): string | null {
  const day = text.trim();
  const at = new Date(`${day}T00:00:00Z`);
  const isDay = DAY.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
  return isDay ? day : null;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time of day as it is written everywhere here, `07:30`; null for a half one, and for one that no day has. */
export function timeOf(text: string): string | null {
  const time = text.trim();
  return TIME.test(time) ? time : null;
}

/** A day and a time, `2026-11-21T14:05`, also with a space between them; null for anything else. */
export function minuteOf(text: string): string | null {
  const [, day = '', time = ''] = MINUTE.exec(text.trim()) ?? [];
  const isMinute = dayOf(day) !== null && !Number.isNaN(Date.parse(`${day}T${time}`));
  return isMinute ? `${day}T${time}` : null;
}
