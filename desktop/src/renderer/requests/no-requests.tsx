import { Button } from '@mantine/core';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import type { TimeRange } from '../navigation/time-range.ts';

interface NoRequestsProps {
  readonly isFiltered: boolean;
  readonly range: TimeRange;
  /** Lists those of any time; null where it does. */
  readonly onAnyTime: (() => void) | null;
}

/** A list without a line: by its filters, or by its time. */
export function NoRequests({ isFiltered, range, onAnyTime }: NoRequestsProps) {
  const older = onAnyTime && (
    <Button variant="default" onClick={onAnyTime}>
      Show any time
    </Button>
  );
  return (
    <Empty title={noneWords(isFiltered, range)} action={older}>
      {isFiltered ? 'New ones that match show up here.' : 'The next one shows up here as soon as it is accepted.'}
    </Empty>
  );
}

export function noneWords(isFiltered: boolean, range: TimeRange): string {
  return isFiltered ? 'No request matches these filters' : `No requests ${range.words}`;
}
