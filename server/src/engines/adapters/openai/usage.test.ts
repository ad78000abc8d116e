import { describe, expect, it } from 'vitest';
import { completionUsage } from './usage.ts';

const usage = (total_tokens: number, reasoning_tokens: unknown) => ({
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens,
  completion_tokens_details: { reasoning_tokens },
  prompt_tokens_details: { cached_tokens: 80 },
});

describe('completionUsage', () => {
  const cases: [name: string, raw: object, outputTokens: number | null][] = [
    ['reasoning within the completion', usage(150, 30), 50],
    ['reasoning beside the completion', usage(180, 30), 80],
    ['no reasoning', usage(150, 0), 50],
    ['reasoning that is no number', usage(150, 'much'), 50],
    ['a total of its own', usage(999, 30), 50],
    ['an absurd reasoning', usage(150 - 30, -30), 50],
  ];
  it.each(cases)('counts %s as the provider bills it, and keeps it as it came', (_name, raw, outputTokens) => {
    const apart = outputTokens === 80 ? { reasoningApart: 30 } : {};
    expect(completionUsage(raw, 8192)).toEqual({ inputTokens: 100, outputTokens, pages: null, raw, ...apart });
  });

  const bare = (total_tokens: unknown, more: object = {}) => ({
    prompt_tokens: 20,
    completion_tokens: 424,
    total_tokens,
    ...more,
  });
  const totals: [name: string, raw: object, outputTokens: number][] = [
    ['thinking in the total alone', bare(1016), 996],
    ['thinking in the total alone, its details null', bare(1016, { completion_tokens_details: null }), 996],
    ['a total that is the sum', bare(444), 424],
    ['a total below the sum', bare(100), 424],
    ['a total beyond what the answer may have', bare(8213), 424],
    ['a total that is no number', bare('1016'), 424],
    ['a total with details beside it', bare(1016, { completion_tokens_details: { reasoning_tokens: 0 } }), 424],
    ['a total with details that are none', bare(1016, { completion_tokens_details: {} }), 424],
  ];
  it.each(totals)('counts of %s what can be true', (_name, raw, outputTokens) => {
    expect(completionUsage(raw, 8192)).toEqual({ inputTokens: 20, outputTokens, pages: null, raw });
  });

  it('believes no sum beyond reason', () => {
    const raw = { ...usage(150 + 1e9, 1e9) };
    expect(completionUsage(raw, 8192)?.outputTokens).toBeNaN();
  });
});
