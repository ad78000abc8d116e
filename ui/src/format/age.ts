import { duration } from './duration.ts';

/** How long ago something was: `just now`, `41 s ago`, `3 h 5 min ago`. */
export function age(at: string | number | Date | null | undefined, nowMs: number = Date.now()): string {
  if (at === null || at === undefined) return 'never';
  const passedMs = nowMs - new Date(at).getTime();
  if (passedMs < 1000) return 'just now';
  return `${duration(Math.floor(passedMs / 1000) * 1000).replace(/\.0 s$/, ' s')} ago`;
}
