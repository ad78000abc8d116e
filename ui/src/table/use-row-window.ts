import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { textScale } from '../theme/text-scale.ts';

/** The header stands over the place and moves its rows down by so much, with text of the usual size. */
const HEADER_PX = 30;

/** The rows that can be seen in a scrolled place, and the height of those before and after them. */
export function useRowWindow(count: number, rowHeightPx: number, initialTopPx: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [scale] = useState(textScale);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx * scale,
    overscan: 2,
    scrollPaddingEnd: HEADER_PX * scale,
    initialOffset: initialTopPx,
    // Rows may come a frame later than the scroll: a forced render inside it makes long tasks.
    useFlushSync: false,
  });
  const topPx = useRef(initialTopPx);
  useLayoutEffect(() => {
    if (topPx.current > 0) scroller.current?.scrollTo({ top: topPx.current });
  }, []);
  const items = virtual.getVirtualItems();
  return {
    scroller,
    items,
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    lastIndex: items.at(-1)?.index ?? 0,
    show: virtual.scrollToIndex,
  };
}
