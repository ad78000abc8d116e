const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The engine that is down on one day in so many, and from when to when. */
const DOWN_ENGINE = 'demo-cumulus';
const DOWN_EVERY_DAYS = 17;
const DOWN_FROM_MS = 8.5 * HOUR_MS;
const DOWN_UNTIL_MS = 15 * HOUR_MS;

/** The engine whose probes fail now and then, and which is degraded whenever one looks. */
export const WEAK_ENGINE = 'demo-ember';

/** Whether an engine is down at a time: by the calendar, so that it is the same whenever the demo is made. */
export function isDown(engineId: string, time: number): boolean {
  return engineId === DOWN_ENGINE && outages(time, time + 1).some(({ from, until }) => time >= from && time < until);
}

/** The outages that touch a span. */
export function outages(from: number, until: number): { engine: string; from: number; until: number }[] {
  const days = Array.from(
    { length: Math.ceil((until - from) / DAY_MS) + 1 },
    (_, n) => Math.floor(from / DAY_MS) + n,
  ).filter((day) => day % DOWN_EVERY_DAYS === 5);
  return days
    .map((day) => ({
      engine: DOWN_ENGINE,
      from: day * DAY_MS + DOWN_FROM_MS,
      until: day * DAY_MS + DOWN_UNTIL_MS,
    }))
    .filter((outage) => outage.from < until && outage.until > from);
}
