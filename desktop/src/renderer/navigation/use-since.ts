import { LONG_RANGE, useTimeRange } from './time-range.ts';
import { useSearchParam } from './use-search-param.ts';
import { useOnceHere } from './visits.ts';

const HOUR_MS = 3_600_000;

export interface Since {
  /** Null: of any time. */
  readonly since: string | null;
  /** `in the last 30 days`. */
  readonly words: string;
  /** Shows those of any time; null where it does. */
  readonly onAnyTime: (() => void) | null;
}

/** From when on a page lists what happened, by the time range: at most pages little does, and what is older is one click away. */
export function useSince(): Since {
  const [range] = useTimeRange(LONG_RANGE);
  const [time, setTime] = useSearchParam('time');
  const isAny = time === 'any';
  const since = useOnceHere('since', `${isAny} ${range.hours}`, () =>
    isAny ? null : new Date(Date.now() - range.hours * HOUR_MS).toISOString(),
  );
  return { since, words: isAny ? 'of any time' : range.words, onAnyTime: isAny ? null : () => setTime('any') };
}
