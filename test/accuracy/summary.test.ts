import { describe, expect, it } from 'vitest';
import { benchmarkOf, confidenceInterval, type DocumentResult, summarise } from '../../accuracy/summary.ts';
import { mergeEntries } from '../../server/src/engines/engines-file.ts';

function result(set: 'easy' | 'hard', characterErrorRate: number, more: Partial<DocumentResult> = {}): DocumentResult {
  const rates = { characterErrorRate, wordErrorRate: 0.5 };
  return {
    document: 'x.png',
    set,
    failure: null,
    answered: true,
    ...rates,
    costUsd: 0.001,
    latencyMs: 100,
    version: null,
    ...more,
  };
}

describe('a summary', () => {
  it('has means, sums and percentiles', () => {
    const results = [10, 20, 30, 400].map((latencyMs, n) => result('easy', n / 10, { latencyMs }));
    expect(summarise(results)).toEqual({
      documents: 4,
      failures: 0,
      characterErrorRate: 0.15,
      wordErrorRate: 0.5,
      costUsd: 0.004,
      p50LatencyMs: 20,
      p95LatencyMs: 400,
    });
  });

  it('knows no cost where one document’s is not known, and counts failures', () => {
    const failed = result('hard', 1, { costUsd: null, failure: 'refused: no' });
    expect(summarise([result('hard', 0), failed])).toMatchObject({ costUsd: null, failures: 1 });
  });

  it('of nothing is empty', () => {
    expect(summarise([])).toMatchObject({ documents: 0, characterErrorRate: null, costUsd: 0, p50LatencyMs: null });
  });
});

describe('a benchmark', () => {
  it('is 100 less the mean character error rate in percent, which is clipped at 100', () => {
    const results = [result('easy', 0.01), result('easy', 0.03), result('hard', 0.5), result('hard', 7)];
    expect(benchmarkOf(results, '2026-11-21')).toMatchObject({
      easy_score: 98,
      hard_score: 25,
      measured_at: '2026-11-21',
    });
  });

  it('is not there without both sets', () => {
    expect(benchmarkOf([result('hard', 0.5)], '2026-11-21')).toBeNull();
    expect(benchmarkOf([result('easy', 0.5)], '2026-11-21')).toBeNull();
  });

  it('is not there where a call failed: that measures no accuracy', () => {
    const broken = result('hard', 1, { answered: false, failure: 'failed: HTTP 500' });
    expect(benchmarkOf([result('easy', 0), result('hard', 0), broken], '2026-11-21')).toBeNull();
  });

  it('is taken by ENGINES_FILE as it is', () => {
    const benchmark = benchmarkOf([result('easy', 0), result('hard', 0.2)], '2026-11-21');
    const entry = { id: 'a', name: 'A', provider: 'p', adapter: 'openai', price_per_page_usd: 0, benchmark };
    expect(mergeEntries([], { engines: [entry] })).toMatchObject([{ benchmark }]);
  });
});

describe('the confidence interval', () => {
  const scores = [90, 60, 75, 99, 20, 88, 95];

  it('is the same for the same scores', () => {
    expect(confidenceInterval(scores)).toEqual(confidenceInterval([...scores]));
  });

  it('holds the mean, is within the scores and narrows with more of them', () => {
    const [low, high] = confidenceInterval(scores);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    expect(low).toBeGreaterThanOrEqual(20);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    expect(high).toBeLessThanOrEqual(99);
    const [lowOfMore, highOfMore] = confidenceInterval(Array.from({ length: 20 }, () => scores).flat());
    expect(highOfMore - lowOfMore).toBeLessThan((high - low) / 3);
  });

  it('has no width where all scores are one', () => {
    expect(confidenceInterval([80, 80, 80])).toEqual([80, 80]);
  });
});
