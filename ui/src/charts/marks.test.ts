import { expect, it } from 'vitest';
import { type Mark, marksOfStep, shownSpan } from './marks.ts';
import { BY_DAY, BY_HOUR } from './step.ts';

const HOURS = { fromMs: 10, toMs: 20 };

it('shows as much of what lasted as is within the hours', () => {
  const span = (fromMs: number, toMs: number | null) => shownSpan({ fromMs, toMs }, HOURS);
  expect(span(5, 15)).toEqual({ fromMs: 10, toMs: 15 });
  expect(span(12, null)).toEqual({ fromMs: 12, toMs: 20 });
  expect(span(0, 30)).toEqual(HOURS);
  expect(span(12, 12)).toEqual({ fromMs: 12, toMs: 12 });
  expect([span(0, 9), span(20, null)]).toEqual([null, null]);
});

it('names a moment by its time alone, in the hour in which it was', () => {
  const hour = Date.parse('2026-11-20T10:00:00Z');
  const at = hour + 60_000;
  const marks: Mark[] = [{ title: 'Version 2 deployed', fromMs: at, toMs: at, tone: 'deployment' }];
  expect(marksOfStep(marks, hour, BY_HOUR)).toEqual([expect.stringMatching(/^Version 2 deployed, [^ ]+ [^ ]+ [^ ]+$/)]);
  expect(marksOfStep(marks, hour + BY_HOUR.ms, BY_HOUR)).toEqual([]);
  expect(marksOfStep(marks, hour - BY_HOUR.ms, BY_HOUR)).toEqual([]);
});

it('names what lasted in an hour, three at most', () => {
  const hour = Date.parse('2026-11-20T10:00:00Z');
  const mark = (title: string, fromMs: number, toMs: number | null): Mark => ({ title, fromMs, toMs, tone: 'down' });
  const marks = [mark('A', hour - 5, hour + 5), mark('B', hour + 60_000, null), mark('C', hour - 9, hour - 5)];
  expect(marksOfStep(marks, hour, BY_HOUR)).toEqual([
    expect.stringMatching(/^A, .+ to .+/),
    expect.stringMatching(/^B, since .+/),
  ]);
  expect(marksOfStep(marks, Date.parse('2026-11-20'), BY_DAY)).toHaveLength(3);
  const many = [...'ABCDEE'].map((title) => mark(title, hour, null));
  expect(marksOfStep(many, hour, BY_HOUR)).toHaveLength(4);
  expect(marksOfStep(many, hour, BY_HOUR).at(-1)).toBe('and 2 more');
});
