import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { gemini } from './adapter.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2] };
const USAGE = { promptTokenCount: 1000, candidatesTokenCount: 15, thoughtsTokenCount: 5, totalTokenCount: 1020 };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const content = (parts: unknown, finishReason?: unknown, more: object = {}) => ({
  status: 200,
  body: {
    candidates: [{ content: { role: 'model', parts }, finishReason }],
    usageMetadata: USAGE,
    modelVersion: 'gemini-1-2026',
    responseId: 'resp_1',
    ...more,
  },
});
const text = (words: string, finishReason?: unknown) => content([{ text: words }], finishReason);
const fault = (code: number, status: string, message: string, details: object[] = []) => ({
  status: code,
  body: { error: { code, message, status, details } },
});

function open(model = 'gemini-1'): Adapter {
  const engine = { id: 'x', baseUrl: provider.origin, apiKey: KEY, model } as Engine; // what open() reads
  return gemini.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only, and opens at once
}

function read(
  script: Behaviour | Behaviour[],
  input = PICTURE,
  native: Record<string, unknown> = {},
  adapter = open(),
) {
  provider.script(...[script].flat());
  const settings: EngineSettings = {
    language: 'ja',
    languageNative: 'Japanese',
    dpi: null,
    detectTables: false,
    native,
  };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = (nth = 0) => JSON.parse(provider.calls[nth]?.body ?? '{}');

describe('the request to Gemini', () => {
  it('carries the picture before the prompt with the language', async () => {
    await read(text('x', 'STOP'));
    expect(provider.calls[0]).toMatchObject({
      method: 'POST',
      path: '/v1beta/models/gemini-1:generateContent',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
    });
    expect(sent()).toEqual({
      generationConfig: { temperature: 0, maxOutputTokens: 8192, thinkingConfig: { thinkingBudget: 0 } },
      contents: [
        {
          role: 'user',
          parts: [
            { inline_data: { mime_type: 'image/png', data: 'AAEC+g==' } },
            { text: expect.stringContaining('The document is in Japanese.') },
          ],
        },
      ],
    });
  });

  it('carries a PDF, with room for each of its pages', async () => {
    const reading = await read(text('[[page 1]]\na\n[[page 2]]\nb', 'STOP'), PDF);
    expect(reading.pages).toMatchObject([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
    ]);
    expect(sent().generationConfig.maxOutputTokens).toBe(16_384);
    expect(sent().contents[0].parts[0]).toEqual({
      inline_data: { mime_type: 'application/pdf', data: 'JVBERi0xLjc=' },
    });
  });

  it('knows a model by its full name', async () => {
    await read(text('x', 'STOP'), PICTURE, {}, open('tunedModels/mine'));
    expect(provider.calls[0]?.path).toBe('/v1beta/tunedModels/mine:generateContent');
  });

  it('lets native_settings win, the token limit only where it is lower', async () => {
    // The second is what an operator's native_allow lets through.
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
    await read(text('x', 'STOP'), PICTURE, { generationConfig: { temperature: 1, topP: 0.1 }, safetySettings });
    expect(sent()).toMatchObject({
      generationConfig: { temperature: 1, topP: 0.1, maxOutputTokens: 8192 },
      safetySettings,
    });
    await read(text('x', 'STOP'), PICTURE, { generationConfig: { maxOutputTokens: 5 } });
    expect(sent().generationConfig.maxOutputTokens).toBe(5);
    const { warnings } = await read(text('x', 'STOP'), PICTURE, { generationConfig: { maxOutputTokens: 99_999 } });
    expect(sent().generationConfig.maxOutputTokens).toBe(8192);
    expect(warnings).toEqual([expect.stringContaining('generationConfig.maxOutputTokens was lowered to 8192')]);
  });

  it.each([
    [{ maxOutputTokens: 99_999 }, { maxOutputTokens: 8192 }],
    [{ topK: 1, maxOutputTokens: '5' }, { topK: 1 }],
    [
      { maxOutputTokens: 99_999, thinkingConfig: { thinkingBudget: 100 } },
      { maxOutputTokens: 16_384, thinkingConfig: { thinkingBudget: 100 } },
    ],
  ])('tells before and after a call what of %j is sent on', async (generationConfig, forwardedNative) => {
    const native = { generationConfig };
    const settings = { language: 'ja', languageNative: 'Japanese', dpi: null, detectTables: false, native };
    expect(gemini.forwards?.(settings, 1)).toMatchObject({ native: { generationConfig: forwardedNative } });
    const { forwarded } = await read(text('x', 'STOP'), PICTURE, native);
    expect(forwarded).toEqual({ native: { generationConfig: forwardedNative } });
    expect(sent().generationConfig).toMatchObject({ maxOutputTokens: 8192, ...forwardedNative });
  });

  it('tells the limit that a model got which turned out to think', async () => {
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Budget 0 is invalid. This model only works in thinking mode.');
    const native = { generationConfig: { maxOutputTokens: 10_000 } };
    const { forwarded } = await read([rejection, text('x', 'STOP')], PICTURE, native);
    expect(sent(1).generationConfig.maxOutputTokens).toBe(10_000);
    expect(forwarded).toEqual({ native });
  });

  it('learns that a model always thinks, gives it room for that, and remembers it', async () => {
    const adapter = open();
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Budget 0 is invalid. This model only works in thinking mode.');
    const reading = await read([rejection, text('x', 'STOP')], PICTURE, {}, adapter);
    expect(reading.ending).toEqual({ kind: 'ok' });
    await read(text('x', 'STOP'), PICTURE, {}, adapter);
    expect(provider.calls).toHaveLength(1);
    expect(sent().generationConfig).toEqual({ temperature: 0, maxOutputTokens: 16_384 });
  });

  it('takes a refusal that names no field for one of the switch, and keeps what then succeeds', async () => {
    const adapter = open();
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    const { ending } = await read([rejection, text('x', 'STOP')], PICTURE, {}, adapter);
    expect(ending).toEqual({ kind: 'ok' });
    expect(sent(1).generationConfig).toEqual({ temperature: 0, maxOutputTokens: 16_384 });
    await read(text('x', 'STOP'), PICTURE, {}, adapter);
    expect(provider.calls).toHaveLength(1);
    expect(sent().generationConfig).toEqual({ temperature: 0, maxOutputTokens: 16_384 });
  });

  it('forgets the guess where it was another field', async () => {
    const adapter = open();
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    const { ending } = await read(rejection, PICTURE, {}, adapter);
    expect(ending).toMatchObject({ kind: 'failed', temporary: false, httpStatus: 400 });
    expect(provider.calls).toHaveLength(2);
    await read(text('x', 'STOP'), PICTURE, {}, adapter);
    expect(sent().generationConfig).toMatchObject({ maxOutputTokens: 8192, thinkingConfig: { thinkingBudget: 0 } });
  });

  it('does not guess about thinking that is the caller’s own', async () => {
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    await read(rejection, PICTURE, { generationConfig: { thinkingConfig: { thinkingBudget: 100 } } });
    expect(provider.calls).toHaveLength(1);
  });

  it('gives room to a model that thinks although it was told not to', async () => {
    const adapter = open();
    const answer = (thoughtsTokenCount: number) =>
      content([{ text: 'x' }], 'STOP', { usageMetadata: { ...USAGE, thoughtsTokenCount } });
    await read(answer(0), PICTURE, {}, adapter);
    await read(answer(500), PICTURE, {}, adapter);
    expect(sent().generationConfig.maxOutputTokens).toBe(8192);
    const { mostTokens } = await read(answer(0), PICTURE, {}, adapter);
    expect(sent().generationConfig).toMatchObject({ maxOutputTokens: 16_384, thinkingConfig: { thinkingBudget: 0 } });
    expect(mostTokens).toMatchObject({ output: 16_384 });
  });

  it('does not ask again when the rejected thinking is the caller’s own', async () => {
    const rejection = fault(400, 'INVALID_ARGUMENT', 'Thinking is not supported by this model.');
    const native = { generationConfig: { thinkingConfig: { thinkingBudget: 100 } } };
    expect((await read(rejection, PICTURE, native)).ending).toMatchObject({ kind: 'failed', temporary: false });
    expect(provider.calls).toHaveLength(1);
  });
});

describe('the ending of Gemini’s answer', () => {
  const refused = [
    ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
    ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_OTHER', 'IMAGE_RECITATION'],
  ];
  it.each(refused)('by %s is a refusal that says so, with text or without', async (reason) => {
    const ending = { kind: 'refused', message: `The engine refused to read the page: “${reason}”` };
    expect(await read(content(undefined, reason))).toMatchObject({ ending, billed: 'yes', pages: [] });
    expect(await read(text('te', reason))).toMatchObject({ ending, billed: 'yes', pages: [] });
  });

  const broken = [
    ...['OTHER', 'MALFORMED_FUNCTION_CALL', 'NO_IMAGE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'],
    ...['MISSING_THOUGHT_SIGNATURE', 'MALFORMED_RESPONSE'],
  ];
  it.each(broken)('by %s is a failure that was billed', async (reason) => {
    expect(await read(text('te', reason))).toMatchObject({
      ending: { kind: 'failed', temporary: true, message: expect.stringContaining(reason) },
      billed: 'yes',
      usage: { inputTokens: 1000 },
    });
  });

  const thoughts = [{ text: 'Hm.', thought: true }, { text: 'te' }, { inlineData: {} }, null, { text: 'xt' }];
  const prose = 'I am unable to process this image.';
  const table: [name: string, script: Behaviour, ending: object, billed: string][] = [
    ['STOP', text('text', 'STOP'), { kind: 'ok' }, 'yes'],
    ['no reason', text('text'), { kind: 'ok' }, 'yes'],
    ['an unspecified reason', text('text', 'FINISH_REASON_UNSPECIFIED'), { kind: 'ok' }, 'yes'],
    ['thoughts', content(thoughts, 'STOP'), { kind: 'ok' }, 'yes'],
    ['an unknown reason', text('text', 'TIRED'), { kind: 'ok' }, 'yes'],
    ['an unknown reason without text', content([], 'TIRED'), { kind: 'failed', temporary: true }, 'yes'],
    ['MAX_TOKENS', text('te', 'MAX_TOKENS'), { kind: 'truncated' }, 'yes'],
    ['MAX_TOKENS while thinking', content(undefined, 'MAX_TOKENS'), { kind: 'truncated' }, 'yes'],
    ['a refusal in prose', text(prose, 'STOP'), { kind: 'refused' }, 'yes'],
    ['no parts', content(undefined, 'STOP'), { kind: 'empty' }, 'yes'],
    ['no content', { status: 200, body: { candidates: [{}], usageMetadata: USAGE } }, { kind: 'empty' }, 'yes'],
    ['no candidates', { status: 200, body: { usageMetadata: USAGE } }, { kind: 'empty' }, 'yes'],
    [
      'a blocked prompt',
      { status: 200, body: { promptFeedback: { blockReason: 'OTHER' }, usageMetadata: { promptTokenCount: 9 } } },
      { kind: 'refused', message: 'The engine refused to read the page: “OTHER”' },
      'yes',
    ],
    [
      'a blocked prompt without usage',
      { status: 200, body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } },
      { kind: 'refused' },
      'unknown',
    ],
    ['a rate limit', fault(429, 'RESOURCE_EXHAUSTED', 'quota'), { kind: 'failed', temporary: true }, 'no'],
    ['an overload', fault(503, 'UNAVAILABLE', 'overloaded'), { kind: 'failed', temporary: true }, 'no'],
    ['a deadline', fault(504, 'DEADLINE_EXCEEDED', 'late'), { kind: 'failed', temporary: true }, 'no'],
    ['a forbidden key', fault(403, 'PERMISSION_DENIED', KEY), { kind: 'failed', temporary: false }, 'no'],
    ['an unknown model', fault(404, 'NOT_FOUND', 'models/x'), { kind: 'failed', temporary: false }, 'no'],
    ['a bad field', fault(400, 'INVALID_ARGUMENT', 'Unknown name "x"'), { kind: 'failed', temporary: false }, 'no'],
    ['a PDF of nothing', fault(400, 'INVALID_ARGUMENT', 'The document has no pages.'), { kind: 'unreadable' }, 'no'],
  ];
  it.each(table)('by %s', async (_name, script, ending, billed) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending, billed });
    if (reading.ending.kind === 'ok') expect(reading.pages[0]?.text).toBe('text');
    expect(JSON.stringify(reading)).not.toContain(KEY);
  });

  it('blames a wrong key on the gateway’s configuration', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const { ending } = await read(fault(400, 'INVALID_ARGUMENT', 'API key not valid.', details));
    expect(ending).toMatchObject({ message: expect.stringContaining('refused its credentials') });
  });

  it('says how long a rate limit asks to wait', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '11.2s' }];
    const { ending } = await read(fault(429, 'RESOURCE_EXHAUSTED', 'quota', details));
    expect(ending).toMatchObject({ message: expect.stringContaining('asks to wait 12 s') });
  });

  it('tells the ids, and bills thoughts as output', async () => {
    expect(await read(text('text', 'STOP'))).toMatchObject({
      providerRequestId: 'resp_1',
      modelVersion: 'gemini-1-2026',
      usage: { inputTokens: 1000, outputTokens: 20, pages: null, raw: USAGE },
    });
  });

  it.each([
    [{ promptTokenCount: 9 }, { inputTokens: 9, outputTokens: 0 }],
    [
      { promptTokenCount: 9, thoughtsTokenCount: 4 },
      { inputTokens: 9, outputTokens: 4 },
    ],
    [
      { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: -4 },
      { inputTokens: 9, outputTokens: Number.NaN },
    ],
    [
      { promptTokenCount: 2e9, candidatesTokenCount: 2 },
      { inputTokens: Number.NaN, outputTokens: 2 },
    ],
    [{}, { inputTokens: null, outputTokens: null }],
  ])('believes of the usage %j what is sound', async (usageMetadata, expected) => {
    const reading = await read(content([{ text: 'x' }], 'STOP', { usageMetadata }));
    expect(reading.usage).toEqual({ ...expected, pages: null, raw: usageMetadata });
  });
});

describe('what Gemini’s configuration lacks', () => {
  const engine = { baseUrl: null, apiKey: KEY, model: 'gemini-1', region: null };
  it.each([
    [engine, null],
    [{ ...engine, apiKey: null }, 'api_key is missing'],
    [{ ...engine, model: null }, 'model is missing'],
    [{ ...engine, baseUrl: 'localhost' }, 'base_url is not an address'],
  ])('of %j is %j', (configured, expected) => {
    expect(missingSetting(gemini, configured)).toBe(expected);
  });
});
