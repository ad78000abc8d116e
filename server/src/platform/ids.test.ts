import { expect, it } from 'vitest';
import { newId } from './ids.ts';

it('makes ids of 26 Crockford base-32 characters that rise with time and never repeat', () => {
  const ids = Array.from({ length: 5000 }, () => newId('ocr_'));
  for (const id of ids) expect(id).toMatch(/^ocr_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(4, 14));
  expect(times).toEqual([...times].sort());
});
