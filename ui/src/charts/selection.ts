import type uPlot from 'uplot';
import { DRAG_PX } from './use-plot.ts';

/** The times between which a chart was drawn over. */
export interface Selected {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A part that is drawn over is told instead of scaled to. */
export function selecting(onSelect: (part: Selected) => void): {
  readonly drag: uPlot.Cursor.Drag;
  readonly setSelect: (plot: uPlot) => void;
} {
  return {
    drag: { setScale: false, dist: DRAG_PX, click: () => {} },
    setSelect: (plot) => {
      const { left, width } = plot.select;
      if (width === 0) return;
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      onSelect({ fromMs: plot.posToVal(left, 'x') * 1000, toMs: plot.posToVal(left + width, 'x') * 1000 });
    },
  };
}
