import { expect, it } from 'vitest';
import { worstFirst } from './worst-first.ts';

it('shows what is down before what is well, and changes nothing within either', () => {
  const looks = (['healthy', 'unknown', 'unhealthy', 'healthy', 'degraded'] as const).map((status, place) => ({
    health: { status },
    obstacle: place === 3 ? ('disabled' as const) : null,
    place,
  }));
  expect(worstFirst(looks).map(({ place }) => place)).toEqual([2, 4, 1, 3, 0]);
});
