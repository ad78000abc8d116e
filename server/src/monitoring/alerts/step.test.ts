import { expect, it } from 'vitest';
import { CALM, type Standing, step } from './step.ts';

const RULE = { fireAfter: 3, recoverAfter: 2, cooldownMinutes: 10 };
const MINUTE = 60_000;

/** What is told at each check, a minute apart: `x` bad, `.` good, `?` unknown, in capitals while it is silent. */
function told(checks: string, rule = RULE): string {
  let standing: Standing = CALM;
  return [...checks]
    .map((check, index) => {
      const bad = check === '?' ? null : check.toLowerCase() === 'x';
      const result = step(standing, bad, rule, { nowMs: index * MINUTE, silent: check === 'X' || check === 'O' });
      standing = result.next;
      return result.tell?.[0] ?? '-';
    })
    .join('');
}

it('fires after three bad checks in a row, once', () => {
  expect(told('xx.xxxxx')).toBe('-----f--');
});

it('recovers after two good ones in a row', () => {
  expect(told('xxx.x..')).toBe('--f---r');
});

it('neither fires nor recovers by what is not known', () => {
  expect(told('xx????x??..')).toBe('------f---r');
});

it('is silent while it cools down, and tells afterwards what still fires', () => {
  expect(told('xxx..xxx..')).toBe('--f-r-----');
  expect(told('xxx..xxxxxxxxx')).toBe('--f-r-------f-');
});

it('tells at the end of the quiet hours what still fires', () => {
  expect(told('xxXXXxx')).toBe('-----f-');
});

it('does not tell the recovery of what nobody was told of', () => {
  expect(told('XXXOO..')).toBe('-------');
});
