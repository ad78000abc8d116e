import { expect, it } from 'vitest';
import { isQuiet } from './quiet.ts';

const at = (hours: number, minutes = 0) => new Date(2026, 10, 20, hours, minutes);

it('runs over midnight', () => {
  const night = { from: '22:00', to: '07:00' };
  expect([21, 22, 23, 0, 6, 7].map((hour) => isQuiet(night, at(hour)))).toEqual([false, true, true, true, true, false]);
});

it('knows the minutes of a day', () => {
  const noon = { from: '12:30', to: '13:00' };
  expect([at(12, 29), at(12, 30), at(12, 59), at(13)].map((moment) => isQuiet(noon, moment))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('is never without hours', () => {
  expect(isQuiet(null, at(3))).toBe(false);
});
