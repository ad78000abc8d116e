import { type MouseEvent, useRef } from 'react';
import { DRAG_PX } from './use-plot.ts';

/** Handlers of a click on a chart; drawing over a part of it ends in a click, too, which is none. */
export function useClick(onClick: () => unknown) {
  const downPx = useRef(0);
  return {
    onMouseDown: ({ clientX }: MouseEvent) => {
      downPx.current = clientX;
    },
    onClick: ({ clientX }: MouseEvent) => {
      if (Math.abs(clientX - downPx.current) < DRAG_PX) onClick();
    },
  };
}
