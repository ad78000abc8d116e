import { expect, it } from 'vitest';
import { isQuiet, quietHours } from './quiet.ts';

const at = (hours: number, minutes = 0) => new Date(Date.UTC(2026, 10, 20, hours, minutes));

it('runs over midnight', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'UTC' };
  expect([21, 22, 23, 0, 6, 7].map((hour) => isQuiet(night, at(hour)))).toEqual([false, true, true, true, true, false]);
});

it('knows the minutes of a day', () => {
  const noon = { from: '12:30', to: '13:00', timeZone: 'UTC' };
  expect([at(12, 29), at(12, 30), at(12, 59), at(13)].map((moment) => isQuiet(noon, moment))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('goes by the clocks of its time zone', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'Asia/Tokyo' };
  // 14:00 UTC is 23:00 there, 23:00 UTC is 08:00.
  expect([14, 23].map((hour) => isQuiet(night, at(hour)))).toEqual([true, false]);
});

it('is never without hours', () => {
  expect(isQuiet(null, at(3))).toBe(false);
});

it('takes hours of the day, and no hours that are none', () => {
  const timeZone = 'Europe/Berlin';
  expect(quietHours({ from: '22:00', to: '07:30', timeZone })).toEqual({ from: '22:00', to: '07:30', timeZone });
  expect(quietHours({ from: '07:00', to: '07:00', timeZone })).toBeNull();
  expect(() => quietHours({ from: '24:00', to: '07:00', timeZone })).toThrow(
    'from: a time of day is written as HH:MM.',
  );
  expect(() => quietHours({ from: '22:00', to: '07:00', timeZone: 'Mars/Base' })).toThrow('timeZone: must be a name');
});
