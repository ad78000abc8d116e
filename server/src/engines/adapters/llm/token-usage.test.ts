import { describe, expect, it } from 'vitest';
import { tokenUsage } from './token-usage.ts';

const names = { input: 'prompt_tokens', output: 'completion_tokens' };

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
});
