import { describe, expect, it } from 'vitest';
import type { EngineInput } from '../../model/engine.ts';
import { allowedTokens, CALL_TOKENS, outputCap, PAGE_TOKENS, tokenLimit } from './output-cap.ts';

const pdf = (pages: number): EngineInput => ({
  kind: 'document',
  bytes: Buffer.from('%PDF-1.7'),
  format: 'pdf',
  pages: Array.from({ length: pages }, (_, i) => i + 1),
});

describe('outputCap', () => {
  it('gives each page its share, up to what a model is known to allow', () => {
    expect(outputCap(pdf(1), CALL_TOKENS)).toBe(PAGE_TOKENS);
    expect(outputCap(pdf(3), CALL_TOKENS)).toBe(3 * PAGE_TOKENS);
    expect(outputCap(pdf(20), CALL_TOKENS)).toBe(CALL_TOKENS);
    expect(outputCap(pdf(1), 4096)).toBe(4096);
  });
});

describe('allowedTokens', () => {
  const anthropic = 'max_tokens: 32768 > 8192, which is the maximum allowed number of output tokens for claude-3';
  const openai =
    'max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768.';
  it.each([
    [anthropic, 8192],
    [openai, 16_384],
    ['max_output_tokens: the maximum is 4096', 4096],
    ['max_tokens: 32768 > 64000', null],
    ['prompt is too long: 210000 tokens > 200000 maximum', null],
    ['max_tokens must be an integer', null],
    ['', null],
  ])('reads %j', (words, allowed) => {
    expect(allowedTokens(words, 32_768)).toBe(allowed);
  });
});

describe('tokenLimit', () => {
  it('is the caller’s where it is lower than ours', () => {
    expect(tokenLimit('max_tokens', undefined, 100)).toEqual({ tokens: 100, warnings: [] });
    expect(tokenLimit('max_tokens', 1, 100)).toEqual({ tokens: 1, warnings: [] });
    expect(tokenLimit('max_tokens', 100, 100)).toEqual({ tokens: 100, warnings: [] });
  });

  it.each([101, 1e9, 0, -1, 1.5, '50', null, {}, Number.NaN])('is ours, with a warning, for %j', (asked) => {
    const { tokens, warnings } = tokenLimit('max_tokens', asked, 100);
    expect(tokens).toBe(100);
    expect(warnings).toEqual([expect.stringMatching(/^native_settings\.max_tokens was (lowered|ignored)/)]);
  });
});
