import { enumType } from '../../platform/enum-type.ts';

export const Obstacle = enumType('Obstacle', 'Why an engine takes no requests now.', {
  disabled: 'It is switched off.',
  unhealthy: 'It fails its health probe.',
  resting: 'It failed several times in a row and is left alone for a moment.',
  coming_soon: 'It is in the catalogue, but nobody can use it yet.',
});
export type Obstacle = keyof typeof Obstacle;
