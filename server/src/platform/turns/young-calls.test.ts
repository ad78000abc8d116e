import { expect, it } from 'vitest';
import { beginCall, hasYoungCall } from './young-calls.ts';

it('knows of calls that began a moment ago and are not answered', () => {
  expect(hasYoungCall(1000)).toBe(false);
  const first = beginCall(1000);
  const second = beginCall(1030);
  expect(hasYoungCall(1031)).toBe(true);
  first();
  expect(hasYoungCall(1032)).toBe(true);
  second();
  second();
  expect(hasYoungCall(1033)).toBe(false);
});

it('waits for none that takes long, and sees younger ones behind it', () => {
  beginCall(2000);
  const late = beginCall(2500);
  expect(hasYoungCall(2510)).toBe(true);
  late();
  expect(hasYoungCall(2511)).toBe(false);
});
