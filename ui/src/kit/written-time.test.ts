import { expect, it } from 'vitest';
import { dayOf, minuteOf, timeOf } from './written-time.ts';

it('takes a day as it is written everywhere, whatever the browser’s language is', () => {
  expect(dayOf('2026-11-21')).toBe('2026-11-21');
  expect(dayOf(' 2028-02-29 ')).toBe('2028-02-29');
  for (const text of ['', '2026-11', '2026-11-2', '11/21/2026', '2026-02-29', '2026-13-01', '2026-11-21T10:00']) {
    expect(dayOf(text), text).toBeNull();
  }
});

it('takes a minute with a T or a space before the time', () => {
  expect(minuteOf('2026-11-21T14:05')).toBe('2026-11-21T14:05');
  expect(minuteOf('2026-11-21 14:05')).toBe('2026-11-21T14:05');
  for (const text of ['', '2026-11-21', '2026-11-21 25:00', '2026-02-30 10:00', '2026-11-21 1:05']) {
    expect(minuteOf(text), text).toBeNull();
  }
});

it('takes a time of day of 24 hours, whatever the browser’s language is', () => {
  expect(['00:00', ' 07:30 ', '23:59'].map(timeOf)).toEqual(['00:00', '07:30', '23:59']);
  for (const text of ['', '7:30', '24:00', '12:60', '10:30 PM', '12:3']) expect(timeOf(text), text).toBeNull();
});
