import { useSearchParam } from './use-search-param.ts';

/** The spans that the whole console can look at. */
export const TIME_RANGES = [
  { id: '1h', label: '1 h', hours: 1, words: 'in the last hour' },
  { id: '24h', label: '24 h', hours: 24, words: 'in 24 h' },
  { id: '7d', label: '7 d', hours: 168, words: 'in 7 days' },
  { id: '30d', label: '30 d', hours: 720, words: 'in 30 days' },
] as const;

export type TimeRange = (typeof TIME_RANGES)[number];

const USUAL = TIME_RANGES[1];

/** The span in the address, kept across pages; 24 hours when it names none. */
export function useTimeRange(): [TimeRange, (id: string) => void] {
  const [id, set] = useSearchParam('range');
  return [TIME_RANGES.find((range) => range.id === id) ?? USUAL, set];
}
