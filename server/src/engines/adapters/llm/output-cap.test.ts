import { describe, expect, it } from 'vitest';
import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import * as anthropic from '../anthropic/body.ts';
import * as gemini from '../gemini/body.ts';
import type { DocumentBody } from '../http/document-body.ts';
import * as openai from '../openai/body.ts';
import { allowedTokens, CALL_TOKENS, outputCap, PAGE_TOKENS, REASONING_TOKENS, withinLimits } from './output-cap.ts';

interface ChatLike {
  readonly body: DocumentBody;
  readonly outputCap: unknown;
}

describe('outputCap', () => {
  it('gives each page its share, up to what a model is known to allow', () => {
    expect(outputCap(1)).toBe(PAGE_TOKENS);
    expect(outputCap(3)).toBe(3 * PAGE_TOKENS);
    expect(outputCap(20)).toBe(CALL_TOKENS);
    expect(outputCap(1, { allowed: 4096 })).toBe(4096);
    expect(outputCap(3, { pageTokens: 500 })).toBe(1500);
  });

  it('gives room to reason beside that, once, of which an operator’s word is the whole', () => {
    expect(outputCap(1, { reasons: true })).toBe(PAGE_TOKENS + REASONING_TOKENS);
    expect(outputCap(20, { reasons: true })).toBe(CALL_TOKENS + REASONING_TOKENS);
    expect(outputCap(1, { reasons: true, allowed: 10_000 })).toBe(10_000);
    expect(outputCap(1, { reasons: true, pageTokens: 500 })).toBe(500);
    expect(outputCap(1, { pageTokens: 100_000 })).toBe(100_000);
    expect(outputCap(2, { pageTokens: 20_000 })).toBe(CALL_TOKENS);
  });
});

describe('an operator’s word for a page', () => {
  const input = {
    kind: 'picture',
    page: 1,
    picture: { bytes: Buffer.from('x'), mimeType: 'image/png' },
  } as EngineInput; // what is read of it
  const settings = { language: 'en', languageNative: 'English', dpi: null, detectTables: false, native: {} };
  const openaiDialect = { outputCap: 'max_tokens', temperature: true } as const;
  const requests: [string, (settings: EngineSettings) => ChatLike][] = [
    ['openai', (wish) => openai.chatRequest('m', input, wish, openaiDialect)],
    ['anthropic', (wish) => anthropic.messagesRequest('m', { input, settings: wish, dialect: openaiDialect })],
    ['gemini', (wish) => gemini.contentRequest({ input, settings: wish, dialect: { thinkingOff: true } })],
    ['gemini that thinks', (wish) => gemini.contentRequest({ input, settings: wish, dialect: { thinkingOff: false } })],
  ];

  it.each(requests)('is what %s is asked to write at most; more is credible', (_, request) => {
    const { body, outputCap: credible } = request({ ...settings, pageOutputTokens: 500 });
    expect(body.before).toMatch(/"max(?:_t|OutputT)okens":500\b/);
    expect(credible).toBe(request(settings).outputCap);
    expect(request({ ...settings, pageOutputTokens: 20_000 })).toMatchObject({ outputCap: 20_000 });
  });

  it.each(requests.slice(0, 2))('lowers what a caller asks of %s', (_, request) => {
    const { body, outputCap: credible } = request({ ...settings, pageOutputTokens: 500, native: { max_tokens: 600 } });
    expect(body.before).toContain('"max_tokens":500');
    expect(credible).toBe(500);
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

describe('withinLimits', () => {
  const limits = { max_tokens: 100, 'options.num_ctx': 50 };

  it('leaves alone what is no limit, and what is lower than ours', () => {
    for (const native of [{}, { seed: 1 }, { max_tokens: 1, options: { num_ctx: 50, seed: 1 } }, { max_tokens: 100 }]) {
      expect(withinLimits(native, limits)).toEqual({ native, warnings: [] });
    }
  });

  it.each([101, 1e9])('lowers %j, with a warning', (asked) => {
    const { native, warnings } = withinLimits({ max_tokens: asked, options: { num_ctx: asked, seed: 1 } }, limits);
    expect(native).toEqual({ max_tokens: 100, options: { num_ctx: 50, seed: 1 } });
    expect(warnings).toEqual([
      'native_settings.max_tokens was lowered to 100, the most that is asked for.',
      'native_settings.options.num_ctx was lowered to 50, the most that is asked for.',
    ]);
  });

  it.each([0, -1, 1.5, '50', null, {}, Number.NaN])('leaves out %j, with a warning', (asked) => {
    const { native, warnings } = withinLimits({ seed: 1, max_tokens: asked, options: { num_ctx: asked } }, limits);
    expect(native).toEqual({ seed: 1 });
    expect(warnings).toEqual([
      'native_settings.max_tokens was ignored: it must be a whole number from 1 on.',
      'native_settings.options.num_ctx was ignored: it must be a whole number from 1 on.',
    ]);
  });

  it.each([5, 'num_ctx', null, [{ num_ctx: 1 }]])(
    'leaves out %j in the place of an object, with a warning',
    (options) => {
      expect(withinLimits({ options }, limits)).toEqual({
        native: {},
        warnings: ['native_settings.options was ignored: it must be an object.'],
      });
    },
  );
});
