import { expect, it } from 'vitest';
import { idAt } from './id-at.ts';

it('makes ids that sort by their time and are the same for the same chance', () => {
  expect(idAt('ocr_', 0, () => 0)).toBe(`ocr_${'0'.repeat(26)}`);
  expect(idAt('att_', 2 ** 48 - 1, () => 0.999)).toBe(`att_7${'Z'.repeat(25)}`);
  expect(idAt('key_', Date.UTC(2026, 0, 1), () => 0.5)).toBe(`key_01KDVDNA00${'G'.repeat(16)}`);
});
