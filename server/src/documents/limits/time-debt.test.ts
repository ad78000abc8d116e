import { expect, it } from 'vitest';
import { TimeDebt } from './time-debt.ts';

it('a first failure is forgiven, several cost a wait, and time forgets', () => {
  let now = 0;
  const debt = new TimeDebt(() => now);
  debt.add('a', 3000);
  expect(debt.of('a')).toBe(3000);
  expect(debt.waitMs('a')).toBe(0);
  debt.add('a', 3000);
  debt.add('a', 3000);
  expect(debt.waitMs('a')).toBe(4000);
  expect(debt.waitMs('b')).toBe(0);
  now = 4000;
  expect(debt.waitMs('a')).toBe(0);
  now = 40_000;
  expect(debt.of('a')).toBe(0);
});

it('nobody waits without end, whatever their documents have cost', () => {
  const debt = new TimeDebt(() => 0);
  for (let i = 0; i < 100; i++) debt.add('a', 30_000);
  expect(debt.waitMs('a')).toBe(28_000);
});

it('the service’s own work is never held up', () => {
  const debt = new TimeDebt(() => 0);
  debt.add('', 30_000);
  expect(debt.waitMs('')).toBe(0);
});
