const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds as people read them: `840 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return twoUnits(ms, [MINUTE_MS, 'min'], [SECOND_MS, 's']);
  if (ms < DAY_MS) return twoUnits(ms, [HOUR_MS, 'h'], [MINUTE_MS, 'min']);
  return twoUnits(ms, [DAY_MS, 'd'], [HOUR_MS, 'h']);
}

/** As `duration`, of whole seconds: `0 s`, `7 s`, `1 min 5 s`; for what counts up or down. */
export function wholeSeconds(seconds: number): string {
  return seconds < MINUTE_MS / SECOND_MS ? `${seconds} s` : duration(seconds * SECOND_MS);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(ms: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const whole = Math.floor(ms / largeMs);
  const rest = Math.floor((ms % largeMs) / smallMs);
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}
