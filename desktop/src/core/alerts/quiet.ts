import type { QuietHours } from '../../shared/alerts.ts';

/** Whether a moment lies within the quiet hours, by the clock of this machine. */
export function isQuiet(hours: QuietHours | null, at: Date): boolean {
  if (!hours) return false;
  const now = at.getHours() * 60 + at.getMinutes();
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  return from < to ? now >= from && now < to : now >= from || now < to;
}

function minutesOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}
