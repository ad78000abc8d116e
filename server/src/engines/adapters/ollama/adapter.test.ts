import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { ollama } from './adapter.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const chat = (content: unknown, more: object = {}) => ({
  status: 200,
  body: { model: 'ocr:3b', message: { role: 'assistant', content }, done: true, ...more },
});
const fault = (status: number, error: string) => ({ status, body: { error } });

function read(script: Behaviour, input = PICTURE, native: Record<string, unknown> = {}, apiKey: string | null = null) {
  provider.script(script);
  const engine = { id: 'x', baseUrl: provider.origin, apiKey, model: 'ocr:3b' } as Engine; // what open() reads
  const adapter = ollama.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings: EngineSettings = {
    language: 'ja',
    languageNative: 'Japanese',
    dpi: null,
    detectTables: false,
    native,
  };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = () => JSON.parse(provider.calls[0]?.body ?? '{}');

describe('the request to Ollama', () => {
  it('carries the model, the prompt with the language, the picture, and a context that holds it', async () => {
    await read(chat('x'));
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/api/chat' });
    expect(provider.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(sent()).toEqual({
      model: 'ocr:3b',
      stream: false,
      options: { temperature: 0, num_ctx: 16_384, num_predict: 8192 },
      messages: [
        { role: 'user', content: expect.stringContaining('The document is in Japanese.'), images: ['AAEC+g=='] },
      ],
    });
  });

  it('carries the key where one is configured', async () => {
    await read(chat('x'), PICTURE, {}, KEY);
    expect(provider.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it('lets native_settings win, token limits only where they are lower, and never streams', async () => {
    const native = { options: { num_ctx: 4096, repeat_penalty: 1.3, num_predict: -1 }, think: false };
    const reading = await read(chat('x'), PICTURE, native);
    expect(sent()).toMatchObject({
      think: false,
      stream: false,
      options: { temperature: 0, num_ctx: 4096, num_predict: 8192, repeat_penalty: 1.3 },
    });
    expect(reading.warnings).toEqual([expect.stringContaining('options.num_predict was ignored')]);
    await read(chat('x'), PICTURE, { options: { num_ctx: 1_000_000 } });
    expect(sent().options.num_ctx).toBe(16_384);
  });

  it('tells before and after a call what of the native_settings is sent on', async () => {
    const native = { think: false, options: { seed: 1, num_ctx: 1_000_000, num_predict: -1 } };
    const forwardedNative = { think: false, options: { seed: 1, num_ctx: 16_384 } };
    const settings = { language: 'ja', languageNative: 'Japanese', dpi: null, detectTables: false, native };
    expect(ollama.forwards?.(settings, 1)).toMatchObject({ language: 'ja', native: forwardedNative });
    expect((await read(chat('x'), PICTURE, native)).forwarded).toEqual({ native: forwardedNative });
    expect(sent()).toMatchObject({ ...forwardedNative, options: { ...forwardedNative.options, num_predict: 8192 } });
  });

  it('keeps its limits where an operator lets anything pass as options', async () => {
    const { warnings, forwarded } = await read(chat('x'), PICTURE, { options: 5 });
    expect(sent().options).toEqual({ temperature: 0, num_ctx: 16_384, num_predict: 8192 });
    expect([warnings, forwarded]).toEqual([[expect.stringContaining('options was ignored')], { native: {} }]);
  });

  it('is not made for a whole PDF, which is a fault of the configuration', async () => {
    const reading = await read(chat('x'), PDF);
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: false }, billed: 'no' });
    expect(provider.calls).toEqual([]);
  });
});

describe('the ending of Ollama’s answer', () => {
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['stop', chat('text', { done_reason: 'stop' }), { kind: 'ok' }],
    ['no reason', chat('text'), { kind: 'ok' }],
    ['an unknown reason', chat('text', { done_reason: 'tired' }), { kind: 'ok' }],
    ['an unknown reason without text', chat('', { done_reason: 'load' }), { kind: 'failed', temporary: true }],
    ['length', chat('te', { done_reason: 'length' }), { kind: 'truncated' }],
    ['length while thinking', chat('', { done_reason: 'length' }), { kind: 'truncated' }],
    ['no text', chat('', { done_reason: 'stop' }), { kind: 'empty' }],
    ['no content', chat(undefined), { kind: 'empty' }],
    ['a refusal in prose', chat('I cannot transcribe this document.'), { kind: 'refused' }],
    ['an unknown model', fault(404, "model 'x' not found"), { kind: 'failed', temporary: false }],
    ['a crash', fault(500, 'llama runner process has terminated'), { kind: 'failed', temporary: true }],
    ['an error inside HTTP 200', fault(200, 'unexpected EOF'), { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending });
    if (reading.ending.kind === 'ok') expect(reading.pages[0]?.text).toBe('text');
  });

  it.each([
    [
      { prompt_eval_count: 1000, eval_count: 20, total_duration: 7 },
      { inputTokens: 1000, outputTokens: 20 },
    ],
    [{ prompt_eval_count: 1000 }, { inputTokens: 1000, outputTokens: 0 }],
    [{ eval_count: 20 }, { inputTokens: null, outputTokens: 20 }],
    [
      { prompt_eval_count: -3, eval_count: 20 },
      { inputTokens: Number.NaN, outputTokens: 20 },
    ],
  ])('counts %j', async (counts, expected) => {
    const reading = await read(chat('text', counts));
    expect(reading).toMatchObject({ usage: { ...expected, pages: null, raw: counts }, modelVersion: 'ocr:3b' });
  });

  it('has no usage when Ollama counts nothing', async () => {
    expect((await read(chat('text', { total_duration: 7 }))).usage).toBeNull();
  });
});

describe('what Ollama’s configuration lacks', () => {
  const engine = { baseUrl: null, apiKey: null, model: 'ocr:3b', region: null };
  it.each([
    [engine, null],
    [{ ...engine, baseUrl: 'http://gpu:11434' }, null],
    [{ ...engine, model: null }, 'model is missing'],
    [{ ...engine, baseUrl: 'gpu' }, 'base_url is not an address'],
  ])('of %j is %j', (configured, expected) => {
    expect(missingSetting(ollama, configured)).toBe(expected);
  });
});
