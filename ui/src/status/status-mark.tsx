import type { EngineState } from './engine-state.ts';
import classes from './status.module.css';
import { StatusShape } from './status-shape.tsx';

const WORDS: Record<EngineState, string> = {
  healthy: 'Healthy',
  degraded: 'Degraded',
  down: 'Down',
  'no-data': 'No data',
  disabled: 'Disabled',
};

interface StatusMarkProps {
  readonly state: EngineState;
  /** Instead of the state's own word. */
  readonly word?: string;
}

/** An engine's state as shape and word; colour only repeats what they say. */
export function StatusMark({ state, word = WORDS[state] }: StatusMarkProps) {
  return (
    <span className={classes['mark']} data-state={state}>
      <StatusShape state={state} />
      {word}
    </span>
  );
}
