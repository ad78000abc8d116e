import { useMediaQuery } from '@mantine/hooks';
import { MEDIUM_COLUMNS, NARROW_COLUMNS, WIDE_COLUMNS } from './request-columns.tsx';

/** The columns that there is room for; `isNarrow`: a panel stands beside the list. */
export function useRequestColumns(isNarrow: boolean) {
  const isWide = useMediaQuery('(min-width: 85em)', true);
  if (isNarrow) return isWide ? MEDIUM_COLUMNS : NARROW_COLUMNS;
  return isWide ? WIDE_COLUMNS : MEDIUM_COLUMNS;
}
