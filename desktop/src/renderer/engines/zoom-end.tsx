import { Button } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import type { Zoom } from './zoom.ts';

/** What a chart is zoomed into, and the way back. */
export function ZoomEnd({ zoom, onEnd }: { readonly zoom: Zoom; readonly onEnd: () => void }) {
  return (
    <>
      <span className="kit-soft">
        {shortTime(zoom.fromMs)} to {shortTime(zoom.toMs)}
      </span>
      <Button variant="default" size="compact-xs" onClick={onEnd}>
        Zoom out
      </Button>
    </>
  );
}
