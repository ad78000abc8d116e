import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { pageRanges } from '../../model/page-ranges.ts';
import { CancelledError } from '../../model/stop-reasons.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY, type WireCall } from '../wires/wire-type.ts';
import { azureRead, azureReadWithin } from './adapter.ts';
import { pollDelayMs } from './answer.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2, 3, 5] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const soon = { 'retry-after': '0' };
const accepted = ({ origin }: WireCall) => ({
  status: 202,
  headers: { ...soon, 'operation-location': `${origin}/results/1?api-version=x` },
  body: '',
});
const elsewhere = (location: string) => ({ status: 202, headers: { 'operation-location': location }, body: '' });
const poll = (body: object, status = 200) => ({ status, headers: soon, body });
const failed = (error: object) => poll({ status: 'failed', error });
/** The result for pages of these texts. */
function result(texts: Record<number, string>) {
  let content = '';
  const pages = Object.entries(texts).map(([pageNumber, text]) => {
    const span = { offset: content.length, length: text.length };
    content += `${text}\n`;
    return { pageNumber: Number(pageNumber), spans: [span], words: [{ confidence: 0.5 }, { confidence: 1 }] };
  });
  return poll({ status: 'succeeded', analyzeResult: { content, pages, modelId: 'prebuilt-read' } });
}

function read(
  scripts: Behaviour[],
  input = PICTURE,
  { signal = new AbortController().signal, ...more }: Partial<EngineSettings> & { signal?: AbortSignal } = {},
) {
  provider.script(...scripts);
  const engine = { id: 'x', baseUrl: provider.origin, apiKey: KEY, model: null } as Engine; // what open() reads
  const adapter = azureRead.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native: {}, ...more };
  return adapter.read(input, settings, signal);
}

async function removals(times: number) {
  await expect.poll(() => provider.removals.length, { timeout: 10_000 }).toBe(times);
  return provider.removals;
}

const sent = () => Object.fromEntries(new URL(provider.calls[0]?.path ?? '', provider.origin).searchParams);

describe('the request to Azure', () => {
  it('carries the file and the key, and the key again with each poll', async () => {
    await read([accepted, poll({ status: 'notStarted' }), poll({ status: 'running' }), result({ 1: 'x' })]);
    expect(provider.calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
    expect(provider.calls[0]?.path).toMatch(/^\/documentintelligence\/documentModels\/prebuilt-read:analyze\?/);
    expect(provider.calls[3]?.path).toBe('/results/1?api-version=x');
    for (const { headers } of provider.calls) expect(headers).toMatchObject({ 'ocp-apim-subscription-key': KEY });
    expect(JSON.parse(provider.calls[0]?.body ?? '')).toEqual({ base64Source: 'AAEC+g==' });
    expect(sent()).toEqual({ 'api-version': '2024-11-30', stringIndexType: 'utf16CodeUnit' });
  });

  it('names the pages of a PDF, and Chinese with its script', async () => {
    await read([accepted, result({ 1: 'x' })], PDF, { languageNative: ['zh'] });
    expect(sent()).toMatchObject({ pages: '1-3,5', locale: 'zh-Hans' });
  });

  it('lets native_settings win', async () => {
    const native = { locale: 'fr', features: ['languages', 'formulas'] }; // as an operator's native_allow lets through
    await read([accepted, result({ 1: 'x' })], PICTURE, { native });
    expect(sent()).toMatchObject({ locale: 'fr', features: 'languages,formulas' });
    const settings = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native };
    expect(azureRead.forwards?.(settings, 1)).toEqual({ language: 'fr', languageNative: 'fr', native });
  });

  it.each([[['en', 'ja']], [['en']]])(
    'leaves to Azure what is several languages, or the default: %j',
    async (languageNative) => {
      await read([accepted, result({ 1: 'x' })], PICTURE, { languageNative });
      expect(sent()).not.toHaveProperty('locale');
      await read([accepted, result({ 1: 'x' })], PICTURE, { languageNative, native: { locale: 'en' } });
      expect(sent()).toMatchObject({ locale: 'en' });
    },
  );

  it('does not carry the key to another origin', async () => {
    await using other = await ScriptedProvider.start();
    for (const location of [`${other.origin}/results/1`, provider.origin.replace('http', 'https'), '/results/1']) {
      const reading = await read([elsewhere(location)]);
      expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: false }, billed: 'unknown' });
      expect(provider.calls).toHaveLength(1);
    }
    expect(other.calls).toEqual([]);
  });
});

describe('the pages of Azure’s answer', () => {
  it('are cut out of the whole text, with the mean confidence of their words', async () => {
    const reading = await read([accepted, result({ 1: 'one 😀', 2: 'two', 3: '', 5: 'five' })], PDF);
    expect(reading.pages.map(({ number, text }) => [number, text])).toEqual([
      [1, 'one 😀'],
      [2, 'two'],
      [3, ''],
      [5, 'five'],
    ]);
    expect(reading).toMatchObject({ pages: [{ confidence: 0.75 }, {}, {}, {}], warnings: [], billed: 'yes' });
  });

  it('have boxes where Azure writes the marks of a form', async () => {
    const content = ':selected: Yes :unselected: No';
    const spans = [{ offset: 0, length: content.length }];
    const polygon = [0, 0, 1, 0, 1, 1, 0, 1];
    const selectionMarks = [
      { state: 'selected', confidence: 0.9, span: { offset: 0, length: 10 } },
      { state: 'unselected', confidence: 0.9, span: { offset: 15, length: 12 } },
    ];
    const lines = [{ content, polygon, spans }];
    const cells = [{ rowIndex: 0, columnIndex: 0, content, spans }];
    const tables = [{ rowCount: 1, columnCount: 1, cells, boundingRegions: [{ pageNumber: 1, polygon }] }];
    const pages = [{ pageNumber: 1, width: 1, height: 1, spans, words: [], lines, selectionMarks }];
    const answer = poll({ status: 'succeeded', analyzeResult: { content, pages, tables } });
    const text = '☒ Yes ☐ No';
    const layout = { lines: [{ text }], tables: [{ cells: [{ text }] }] };
    for (const input of [PICTURE, { ...PDF, pages: [1] }]) {
      const reading = await read([accepted, answer], input, { positions: true, tables: true });
      expect(reading).toMatchObject({ ending: { kind: 'ok' }, pages: [{ text, layout }] });
    }
  });

  it('are missed where they are left out', async () => {
    const reading = await read([accepted, result({ 1: 'one', 2: 'two' })], PDF);
    expect(reading.warnings).toEqual(['The engine answered for 2 of 4 pages; missing: 3, 5.']);
  });
});

describe('the ending of an analysis', () => {
  const corrupt = { code: 'InvalidRequest', message: 'Invalid', innererror: { code: 'InvalidContent' } };
  const table: [name: string, polls: Behaviour[], ending: object, billed: string][] = [
    ['text', [result({ 1: 'x' })], { kind: 'ok' }, 'yes'],
    ['no text', [result({ 1: '' })], { kind: 'empty' }, 'yes'],
    ['a corrupt file', [failed(corrupt)], { kind: 'unreadable' }, 'no'],
    ['a bad request', [failed({ code: 'InvalidRequest' })], { kind: 'failed', temporary: false }, 'unknown'],
    ['a fault', [failed({ code: 'InternalServerError' })], { kind: 'failed', temporary: true }, 'unknown'],
    ['a cancellation', [poll({ status: 'canceled' })], { kind: 'failed', temporary: true }, 'unknown'],
    ['an unknown status', [poll({ status: 'dreaming' })], { kind: 'failed', temporary: true }, 'unknown'],
    ['a lost result', [poll({}, 404)], { kind: 'failed', temporary: false }, 'unknown'],
    ['two failed polls and text', [poll({}, 429), poll({}, 503), result({ 1: 'x' })], { kind: 'ok' }, 'yes'],
    ['failed polls only', [poll({}, 503)], { kind: 'failed', temporary: true, httpStatus: 503 }, 'unknown'],
  ];
  it.each(table)('by %s', async (_name, polls, ending, billed) => {
    expect(await read([accepted, ...polls])).toMatchObject({ ending, billed });
  });

  it('fails without the address of the result', async () => {
    const reading = await read([{ status: 202, body: '' }]);
    expect(reading).toMatchObject({ ending: { kind: 'failed' }, billed: 'unknown' });
  });

  it('is not waited for longer than the limit, which is a timeout whose billing nobody knows', async () => {
    provider.script(accepted, poll({ status: 'running' }));
    const engine = { id: 'x', baseUrl: provider.origin, apiKey: KEY, model: null } as Engine; // what open() reads
    const adapter = await azureReadWithin(350).open(engine, { http } as unknown as AdapterTools); // it uses http only
    const settings = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native: {} };
    const reading = await adapter.read(PICTURE, settings, new AbortController().signal);
    expect(reading).toMatchObject({ ending: { kind: 'timeout' }, billed: 'unknown', pages: [] });
    expect(provider.calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
    await removals(1);
  });

  it('is not waited for any more when the call is stopped', async () => {
    const stop = new AbortController();
    const reason = new Error('time is over');
    const running: Behaviour = (call) => {
      if (call.method === 'GET') setImmediate(() => stop.abort(reason));
      return { ...poll({ status: 'running' }), headers: { 'retry-after': '10' } };
    };
    await expect(read([accepted, running], PICTURE, { signal: stop.signal })).rejects.toBe(reason);
    expect(provider.calls).toHaveLength(2);
  });
});

it.each([
  ['0', 100],
  ['3', 3000],
  ['600', 10_000],
  ['Fri, 20 Nov 2026 10:00:05 GMT', 5000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 2000],
  ['-1', 2000],
  ['soon', 2000],
  [null, 2000],
])('waits after Retry-After: %s for %i ms', (retryAfter, ms) => {
  const headers: Record<string, string | null> = { 'retry-after': retryAfter, date: 'Fri, 20 Nov 2026 10:00:00 GMT' };
  expect(pollDelayMs({ kind: 'answer', status: 202, header: (name) => headers[name] ?? null, text: '' })).toBe(ms);
});

it('writes pages as Azure wants them', () => {
  expect(pageRanges([1, 2, 3, 5, 7, 8])).toBe('1-3,5,7-8');
});

it('needs an endpoint and a key', () => {
  const engine = { baseUrl: 'https://x.cognitiveservices.azure.com', apiKey: KEY, model: null, region: null };
  expect(missingSetting(azureRead, engine)).toBeNull();
  expect(missingSetting(azureRead, { ...engine, baseUrl: null })).toBe('base_url is missing');
  expect(missingSetting(azureRead, { ...engine, baseUrl: 'azure' })).toBe('base_url is not an address');
  expect(missingSetting(azureRead, { ...engine, apiKey: null })).toBe('api_key is missing');
});

describe('what Azure keeps', () => {
  const running = poll({ status: 'running' });

  it.each([
    ['that was read', result({ 1: 'x' })],
    ['that failed', failed({ code: 'InternalServerError', message: 'No.' })],
  ])('is deleted of an analysis %s, with the key', async (_name, last) => {
    await read([accepted, running, last]);
    const [removal] = await removals(1);
    expect(removal?.path).toBe('/results/1?api-version=x');
    expect(removal?.headers).toMatchObject({ 'ocp-apim-subscription-key': KEY });
  });

  it('is deleted when the request is cancelled meanwhile', async () => {
    const stop = new AbortController();
    const reason = new CancelledError('cancelled');
    const stopping = (call: WireCall) => {
      if (call.method === 'GET') setImmediate(() => stop.abort(reason));
      return running;
    };
    await expect(read([accepted, stopping], PICTURE, { signal: stop.signal })).rejects.toBe(reason);
    await removals(1);
  });

  it('is nothing where it took no analysis', async () => {
    await read([{ status: 429, body: '{}' }]);
    await read([elsewhere('http://127.0.0.1:1/results/1')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(provider.removals).toEqual([]);
  });
});
