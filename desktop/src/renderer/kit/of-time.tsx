import { Button } from '@mantine/core';

interface OfTimeProps {
  readonly words: string;
  readonly onAnyTime: (() => void) | null;
}

/** Which time a list is of, and the way to what is older. */
export function OfTime({ words, onAnyTime }: OfTimeProps) {
  return (
    <span className="kit-soft">
      {words}{' '}
      {onAnyTime && (
        <Button variant="default" size="compact-xs" onClick={onAnyTime}>
          Show any time
        </Button>
      )}
    </span>
  );
}
