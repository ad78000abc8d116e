import { plural } from '@ocr-router/ui/format/count.ts';
import { type EngineState, engineState } from '@ocr-router/ui/status/engine-state.ts';
import { StatusShape } from '@ocr-router/ui/status/status-shape.tsx';
import type { EngineLook } from './service-status.ts';
import classes from './status.module.css';

/** One sentence about all engines, the worst first. */
export function Summary({ engines }: { readonly engines: readonly EngineLook[] }) {
  const states = engines.map(({ health, obstacle }) => engineState({ health: health.status, obstacle }));
  const { state, words } = sentence(states);
  return (
    <div className={classes['summary']} data-state={state} role="status">
      <StatusShape state={state} sizePx={14} />
      {words}
    </div>
  );
}

function sentence(states: readonly EngineState[]): { state: EngineState; words: string } {
  const down = states.filter((state) => state === 'down').length;
  const degraded = states.filter((state) => state === 'degraded').length;
  if (down > 0)
    return { state: 'down', words: `${down} of ${plural(states.length, 'engine')} ${down === 1 ? 'is' : 'are'} down` };
  if (degraded > 0)
    return {
      state: 'degraded',
      words: `${degraded} of ${plural(states.length, 'engine')} ${degraded === 1 ? 'is' : 'are'} degraded`,
    };
  if (states.length > 0 && states.every((state) => state === 'disabled'))
    return { state: 'disabled', words: 'All engines are disabled' };
  if (!states.includes('healthy')) return { state: 'no-data', words: 'Nothing has been checked or called yet' };
  return { state: 'healthy', words: 'All engines that were checked or called are healthy' };
}
