import { expect, it } from 'vitest';
import { fromField, toField } from './local-time.ts';

it('keeps a time through a field, to the minute, in whatever zone it is read', () => {
  for (const iso of ['2026-11-21T10:05:00.000Z', '2026-03-29T00:59:00.000Z', '2026-12-31T23:30:00.000Z']) {
    expect(toField(iso)).toMatch(/^2\d{3}-\d\d-\d\dT\d\d:\d\d$/);
    expect(fromField(toField(iso))).toBe(iso);
  }
});

it('has no time for an empty field', () => {
  expect(toField(null)).toBe('');
  expect(fromField('')).toBeNull();
});
