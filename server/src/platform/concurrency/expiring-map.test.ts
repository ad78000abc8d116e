import { expect, it } from 'vitest';
import { ExpiringMap } from './expiring-map.ts';

it('has an entry until its end', () => {
  const map = new ExpiringMap<string, string>();
  map.set('a', 'first', 100, 0);
  expect([map.get('a', 99), map.get('a', 100), map.get('b', 0)]).toEqual(['first', undefined, undefined]);
  map.set('a', 'second', 200, 100);
  expect(map.get('a', 100)).toBe('second');
});

it('keeps what is in force, and little else', () => {
  const map = new ExpiringMap<number, number>();
  for (let key = 0; key < 100_000; key++) map.set(key, key, key < 10 ? 1_000_000 : key + 1, key);
  expect(map.size).toBeLessThanOrEqual(1000);
  expect(map.get(3, 99_999)).toBe(3);
});

it('grows as far as what is in force does', () => {
  const map = new ExpiringMap<number, number>();
  for (let key = 0; key < 5000; key++) map.set(key, key, 10_000, 0);
  expect(map.size).toBe(5000);
});
