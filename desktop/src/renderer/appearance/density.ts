import { storedChoice, useChoice } from './stored-choice.ts';

/** How close together the lines of lists are. */
export const DENSITIES = ['compact', 'normal', 'roomy'] as const;
type Density = (typeof DENSITIES)[number];

const ROW_PX: Record<Density, number> = { compact: 24, normal: 28, roomy: 36 };

export const density = storedChoice('console-density', DENSITIES, { usual: 'normal', apply: () => {} });

/** The height of a line in a list. */
export function useRowPx(): number {
  return ROW_PX[useChoice(density)];
}
