import { expect, it } from 'vitest';
import { pageMs, usualWords } from './usual-words.ts';

const USUAL = { requests: 100, p50Ms: 1000, p95Ms: 4000 };
const run = (engine: string, providerLatencyMs: number | null, pagesTried: number | null) => ({
  engine,
  providerLatencyMs,
  pagesTried,
});

it('counts the time of an engine by page, over its runs alone', () => {
  expect(pageMs([run('a', 6000, 3), run('b', 9000, 1), run('a', 2000, null)], 'a')).toBe(2000);
  expect(pageMs([run('b', 9000, 1), run('a', null, 0)], 'a')).toBeNull();
});

it('says how that compares to what is usual, and nothing where little is known', () => {
  expect(usualWords(5000, USUAL)).toContain('longer than 95 % of its pages');
  expect(usualWords(2000, USUAL)).toContain('within what is usual');
  expect(usualWords(999, USUAL)).toContain('within what is usual');
  expect(usualWords(800, USUAL)).toContain('quicker than most');
  expect(usualWords(800, { ...USUAL, requests: 19 })).toBeNull();
  expect(usualWords(null, USUAL)).toBeNull();
});
