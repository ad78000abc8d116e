import { describe, expect, it } from 'vitest';
import { tokenUsage } from './token-usage.ts';

const names = { input: ['prompt_tokens'], output: ['completion_tokens'] } as const;

describe('tokenUsage', () => {
  it('keeps the counts and the object as it came', () => {
    const raw = { prompt_tokens: 12, completion_tokens: 0, extra: { cached: 1 } };
    expect(tokenUsage(raw, names)).toEqual({ inputTokens: 12, outputTokens: 0, pages: null, raw });
  });

  it.each([Number.NaN, -1, 1.5, 1e9, Number.POSITIVE_INFINITY, '12', {}])(
    'takes no %s for a count, and shows that there was one',
    (count) => {
      const raw = { prompt_tokens: count, completion_tokens: 7 };
      expect(tokenUsage(raw, names)).toEqual({ inputTokens: Number.NaN, outputTokens: 7, pages: null, raw });
    },
  );

  it.each([null, undefined])('knows that %s is no count at all', (count) => {
    const raw = { prompt_tokens: count, completion_tokens: 7 };
    expect(tokenUsage(raw, names)).toMatchObject({ inputTokens: null, outputTokens: 7 });
  });

  it.each([undefined, null, 12, 'none', []])('takes no %s for usage', (raw) => {
    expect(tokenUsage(raw, names)).toBeNull();
  });

  it('adds what is counted apart, where it is', () => {
    const parts = { input: ['fresh', 'cached'], output: ['answer', 'thoughts'] } as const;
    expect(tokenUsage({ fresh: 1, cached: 10, answer: 2 }, parts)).toMatchObject({ inputTokens: 11, outputTokens: 2 });
    expect(tokenUsage({ fresh: 1, cached: null, answer: 2, thoughts: 3 }, parts)).toMatchObject({
      inputTokens: 1,
      outputTokens: 5,
    });
    expect(tokenUsage({ fresh: 1, cached: -1, answer: 1e8, thoughts: 1 }, parts)).toMatchObject({
      inputTokens: Number.NaN,
      outputTokens: Number.NaN,
    });
  });

  it('takes an absent output for 0 only where the provider leaves zeros out, and has counted the input', () => {
    expect(tokenUsage({ prompt_tokens: 5 }, names)).toMatchObject({ outputTokens: null });
    expect(tokenUsage({ prompt_tokens: 5 }, { ...names, zeroIsAbsent: true })).toMatchObject({ outputTokens: 0 });
    expect(tokenUsage({}, { ...names, zeroIsAbsent: true })).toMatchObject({ inputTokens: null, outputTokens: null });
  });
});
