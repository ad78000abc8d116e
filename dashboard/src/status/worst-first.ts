import { compareStates, engineState } from '@ocr-router/ui/status/engine-state.ts';
import type { EngineLook } from './service-status.ts';

/** Engines that are down at the top, those that are well at the end, each kind in the order of the catalogue. */
export function worstFirst<Look extends { readonly health: Pick<EngineLook['health'], 'status'> }>(
  engines: readonly Look[],
): readonly Look[] {
  const stateOf = ({ health }: Look) => engineState({ health: health.status });
  return engines.toSorted((one, other) => compareStates(stateOf(one), stateOf(other)));
}
