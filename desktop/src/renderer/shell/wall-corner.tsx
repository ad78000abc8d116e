import { Button } from '@mantine/core';
import { clockTime } from '@ocr-router/ui/format/time.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { ConnectionPill } from './connection-pill.tsx';
import classes from './shell.module.css';

/** What is left of the bars in wall mode: the time, whether the gateway answers, and the way back. */
export function WallCorner({ onLeave }: { readonly onLeave: () => void }) {
  const nowMs = useNow(1000);
  return (
    <aside className={classes['corner']} aria-label="Wall mode">
      <time>{clockTime(nowMs)}</time>
      <ConnectionPill />
      <Button variant="default" size="compact-xs" onClick={onLeave}>
        Leave wall mode (f)
      </Button>
    </aside>
  );
}
