import type { EngineState } from './engine-state.ts';
import classes from './status.module.css';

const SHAPES: Record<EngineState, string> = {
  healthy: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z',
  degraded: 'M6 1 11.5 11H.5Z',
  down: 'M1 1h10v10H1Z',
  'no-data': 'M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5Z',
  disabled: 'M2.5 1h2.5v10H2.5Zm4.5 0h2.5v10H7Z',
};

/** A state as a shape: circle, triangle, square, ring, two bars. Drawn, so that no font can change or lack it. */
export function StatusShape({ state, sizePx = 10 }: { readonly state: EngineState; readonly sizePx?: number }) {
  return (
    <svg className={classes['shape']} data-state={state} width={sizePx} height={sizePx} viewBox="0 0 12 12" aria-hidden>
      <path d={SHAPES[state]} />
    </svg>
  );
}
