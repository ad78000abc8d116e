import { expect, it } from 'vitest';
import { beginCall, hasYoungCall } from './young-calls.ts';

it('knows of calls that began a moment ago and are not answered', () => {
  expect(hasYoungCall(1000, 0)).toBe(false);
  const first = beginCall(1000);
  const second = beginCall(1030);
  expect(hasYoungCall(1031, 0)).toBe(true);
  first();
  expect(hasYoungCall(1032, 0)).toBe(true);
  second();
  second();
  expect(hasYoungCall(1033, 0)).toBe(false);
});

it('knows of none that takes long, and of younger ones behind it', () => {
  beginCall(2000);
  const late = beginCall(2500);
  expect(hasYoungCall(2510, 0)).toBe(true);
  late();
  expect(hasYoungCall(2511, 0)).toBe(false);
});

it('knows of none that was there before the work that asks', () => {
  const own = beginCall(3000);
  expect(hasYoungCall(3010, 3005)).toBe(false);
  const other = beginCall(3008);
  expect(hasYoungCall(3010, 3005)).toBe(true);
  own();
  other();
});
