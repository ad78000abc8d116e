import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

/** The spans that the whole console can look at. */
export const TIME_RANGES = [
  { id: '1h', label: '1 h', hours: 1, words: 'in the last hour' },
  { id: '24h', label: '24 h', hours: 24, words: 'in the last 24 h' },
  { id: '7d', label: '7 d', hours: 168, words: 'in the last 7 days' },
  { id: '30d', label: '30 d', hours: 720, words: 'in the last 30 days' },
] as const;

export type TimeRange = (typeof TIME_RANGES)[number];

export type TimeRangeId = TimeRange['id'];

const USUAL = '24h';
/** Where little happens in a day: what pages of it show when the address names no span. */
export const LONG_RANGE = '30d';

/** Parameters by which a page looks at a time of its own instead: between two times, zoomed in, whole days, or at any time. */
const OWN_TIME = ['from', 'to', 'zoom', 'days', 'time'] as const;

/** The span in the address, kept across pages; `usual`, the page's own, when it names none. */
export function useTimeRange(usual: TimeRangeId = USUAL): [TimeRange, (id: string) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const set = useCallback(
    (id: string) => navigate(`${path}?${withRange(search, id)}`, { replace: true }),
    [path, search, navigate],
  );
  return [rangeIn(search, usual), set];
}

export function rangeIn(search: string, usual: TimeRangeId = USUAL): TimeRange {
  const id = new URLSearchParams(search).get('range');
  return byId(id) ?? byId(usual) ?? TIME_RANGES[1];
}

function byId(id: string | null): TimeRange | undefined {
  return TIME_RANGES.find((range) => range.id === id);
}

/** Whether the page of this address looks at a time of its own, which the time range says nothing of. */
export function hasOwnTime(search: string): boolean {
  const parameters = new URLSearchParams(search);
  return OWN_TIME.some((name) => parameters.get(name));
}

/** The address with another time range, which ends any time of the page's own. */
export function withRange(search: string, id: string): string {
  const parameters = withoutOwnTime(search);
  parameters.set('range', id);
  return parameters.toString();
}

/** The parameters of an address without any time of the page's own. */
export function withoutOwnTime(search: string): URLSearchParams {
  const parameters = new URLSearchParams(search);
  for (const name of OWN_TIME) parameters.delete(name);
  return parameters;
}
