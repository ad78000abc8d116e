import { expect, it } from 'vitest';
import { ByteRate } from './byte-rate.ts';

const rate = () => new ByteRate({ burst: 1000, perSecond: 100 });

it('lets a party send at once what it may, and then waits for the rate', () => {
  const bytes = rate();
  expect(bytes.take('a', 1000, 0)).toBe(0);
  expect(bytes.take('a', 50, 0)).toBe(500);
  expect(bytes.take('a', 50, 0)).toBe(1000);
});

it('forgets what was sent at the rate', () => {
  const bytes = rate();
  bytes.take('a', 1000, 0);
  expect(bytes.take('a', 500, 5000)).toBe(0);
  expect(bytes.take('a', 100, 5000)).toBe(1000);
});

it('lets no party pay for another', () => {
  const bytes = rate();
  bytes.take('a', 100_000, 0);
  for (let n = 0; n < 3000; n++) expect(bytes.take(`b${n}`, 1, n)).toBe(0);
  expect(bytes.take('a', 1, 1)).toBeGreaterThan(900_000);
});

it('takes back what was counted and did not come', () => {
  const bytes = rate();
  bytes.take('a', 1000, 0);
  expect(bytes.take('a', 500, 0)).toBe(5000);
  bytes.giveBack('a', 500, 0);
  expect(bytes.take('a', 50, 0)).toBe(500);
  bytes.giveBack('b', 500, 0);
  expect(bytes.take('b', 1050, 0)).toBe(500);
});
