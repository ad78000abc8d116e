import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { easyocr } from './adapter.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const results = (...fragments: object[]) => ({ status: 200, body: { results: fragments } });
const fault = (status: number, error: unknown) => ({ status, body: { error } });
const box = (left: number, top: number) => [
  [left, top],
  [left + 50, top],
  [left + 50, top + 20],
  [left, top + 20],
];

function read(script: Behaviour, input = PICTURE, native: Record<string, unknown> = {}, apiKey: string | null = null) {
  provider.script(script);
  const engine = { id: 'x', baseUrl: provider.origin, apiKey } as Engine; // what open() reads
  const adapter = easyocr.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings: EngineSettings = {
    language: 'ja+en',
    languageNative: ['ja', 'en'],
    dpi: null,
    detectTables: false,
    native,
  };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = () => JSON.parse(provider.calls[0]?.body ?? '{}');

describe('the request to EasyOCR', () => {
  it('carries the picture, the languages, and asks for details', async () => {
    await read(results());
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/ocr' });
    expect(provider.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(sent()).toEqual({ image: 'AAEC+g==', languages: ['ja', 'en'], detail: 1 });
  });

  it('carries the key where one is configured', async () => {
    await read(results(), PICTURE, {}, KEY);
    expect(provider.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it('lets native_settings win', async () => {
    await read(results(), PICTURE, { languages: ['ko'], decoder: 'greedy' });
    expect(sent()).toEqual({ image: 'AAEC+g==', languages: ['ko'], detail: 1, decoder: 'greedy' });
  });

  it('tells the languages that native_settings have in place of the request’s', () => {
    const settings = { language: 'ja+en', languageNative: ['ja', 'en'], dpi: null, detectTables: false };
    const told = (native: Record<string, unknown>) => easyocr.forwards?.({ ...settings, native }, 1);
    const native = { languages: ['ch_sim', 'en'], decoder: 'greedy' };
    expect(told(native)).toEqual({ language: 'zh+en', languageNative: ['ch_sim', 'en'], native });
    expect(told({ decoder: 'greedy' })).toMatchObject({ language: 'ja+en', languageNative: ['ja', 'en'] });
  });

  it('is not made for a whole PDF, which is a fault of the configuration', async () => {
    expect(await read(results(), PDF)).toMatchObject({ ending: { kind: 'failed', temporary: false }, billed: 'no' });
    expect(provider.calls).toEqual([]);
  });
});

describe('the ending of EasyOCR’s answer', () => {
  const fragment = { text: 'text', confidence: 0.5, bbox: box(0, 0) };
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['text', results(fragment), { kind: 'ok' }],
    ['text without details', results({ text: 'text' }), { kind: 'ok' }],
    ['nothing found', results(), { kind: 'empty' }],
    ['blank fragments', results({ text: ' ' }), { kind: 'empty' }],
    ['a picture it cannot read', fault(422, { code: 'invalid_image', message: 'no' }), { kind: 'unreadable' }],
    ['the words of Pillow', { status: 400, body: { detail: 'cannot identify image file' } }, { kind: 'unreadable' }],
    ['a language it has not', fault(422, 'ko cannot be combined with ja'), { kind: 'failed', temporary: false }],
    ['a queue that is full', fault(503, 'busy'), { kind: 'failed', temporary: true }],
    ['results that are no list', { status: 200, body: { results: 'text' } }, { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending, billed: 'no', usage: null });
    if (reading.ending.kind === 'ok') expect(reading.pages).toMatchObject([{ number: 3, text: 'text' }]);
  });

  it('joins the pieces of a line, and takes the mean of their confidences', async () => {
    const pieces = [
      { text: 'Total', bbox: box(0, 0), confidence: 0.8 },
      { text: '42.00', bbox: box(60, 3), confidence: 0.9 },
      { text: 'Thanks', bbox: box(0, 30), confidence: 7 },
      { text: 'Right', bbox: box(90, 60), confidence: null },
    ];
    const [page] = (await read(results(...pieces))).pages;
    expect(page?.text).toBe('Total 42.00\nThanks\nRight');
    expect(page?.confidence).toBeCloseTo(0.85);
  });

  it('has no confidence where the server reports none', async () => {
    expect((await read(results({ text: 'text' }))).pages[0]?.confidence).toBeNull();
  });
});

describe('what EasyOCR’s configuration lacks', () => {
  it.each([
    [null, 'base_url is missing'],
    ['gpu', 'base_url is not an address'],
    ['http://gpu:8000', null],
  ])('with the base_url %j is %j', (baseUrl, expected) => {
    expect(missingSetting(easyocr, { baseUrl, apiKey: null, model: null, region: null })).toBe(expected);
  });
});
