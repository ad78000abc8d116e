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
  if (isFiltered) {
    return (
      <Empty title="No request matches these filters" action={older}>
        New ones that match show up here.
      </Empty>
    );
  }
  return (
    <Empty title={`No requests ${range.words}`} action={older}>
      The next one shows up here as soon as it is accepted.
    </Empty>
  );
}
