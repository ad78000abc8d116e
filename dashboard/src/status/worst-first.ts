import { compareStates, engineState } from '@ocr-router/ui/status/engine-state.ts';
import type { EngineLook } from './service-status.ts';

interface Sign extends Pick<EngineLook, 'obstacle'> {
  readonly health: Pick<EngineLook['health'], 'status'>;
}

/** Engines that are down at the top, those that are well at the end, each kind in the order of the catalogue. */
export function worstFirst<Look extends Sign>(engines: readonly Look[]): readonly Look[] {
  const stateOf = ({ health, obstacle }: Look) => engineState({ health: health.status, obstacle });
  return engines.toSorted((one, other) => compareStates(stateOf(one), stateOf(other)));
}
