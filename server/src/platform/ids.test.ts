import { expect, it } from 'vitest';
import { lowestId, newId, rangeOfIds, timeOfId } from './ids.ts';

it('makes ids of 26 Crockford base-32 characters that rise with time and never repeat', () => {
  const ids = Array.from({ length: 5000 }, () => newId('ocr_'));
  for (const id of ids) expect(id).toMatch(/^ocr_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(4, 14));
  expect(times).toEqual([...times].sort());
});

it('an id tells when it was made', () => {
  for (const moment of [new Date(0), new Date(1_764_547_200_001), new Date(Date.UTC(2400, 0, 1))]) {
    expect(timeOfId(lowestId('ocr_', moment))).toEqual(moment);
  }
});

it('bounds some ids by the least and the greatest of them', () => {
  const [first, second, third] = [1, 2, 3].map((day) => lowestId('ocr_', new Date(2026, 10, day)));
  expect(rangeOfIds([String(second), String(third), String(first)])).toEqual([first, third]);
  expect(rangeOfIds([String(second)])).toEqual([second, second]);
});

it('bounds nothing by an id that is none: databases differ in where it stands', () => {
  const id = newId('ocr_');
  for (const other of ['ocr_1', 'ocr_~', id.toLowerCase(), `${id} `, 'ä', '']) {
    const [least, greatest] = rangeOfIds([id, other]);
    expect([least < id, id < greatest]).toEqual([true, true]);
    expect([least, greatest]).toEqual(rangeOfIds([]));
  }
});
