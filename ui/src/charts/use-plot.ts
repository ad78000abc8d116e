import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';

/** What a plot is made of, but its width. */
export type PlotPlan = (place: HTMLElement) => Omit<uPlot.Options, 'width'>;

/** From so many pixels on a movement is a drag; hands tremble while they click. */
export const DRAG_PX = 5;

/** A uPlot in the returned place: made again for another plan or colour scheme, fed with data, as wide as its place. */
export function usePlot(plan: PlotPlan, data: uPlot.AlignedData): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const scheme = useComputedColorScheme('light');

  // biome-ignore lint/correctness/useExhaustiveDependencies: canvas colours are those of the scheme
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot({ width: element.clientWidth, ...plan(element) }, latest.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current = null;
      made.destroy();
    };
  }, [plan, scheme]);

  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);
  return place;
}
