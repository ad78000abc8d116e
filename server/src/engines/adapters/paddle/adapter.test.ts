import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { quadFrom, quadOf } from '../../model/page-layout.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { paddle } from './adapter.ts';

const PICTURE: Extract<EngineInput, { kind: 'picture' }> = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [2, 4] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const page = (...rec_texts: string[]) => ({
  prunedResult: { rec_texts, rec_scores: rec_texts.map((_, i) => 0.9 - i / 10) },
});
const layout = (text: string) => ({ markdown: { text, images: {} } });
const answer = (result: object) => ({ status: 200, body: { logId: 'l', errorCode: 0, errorMsg: 'Success', result } });
const results = (...ocrResults: object[]) => answer({ ocrResults });
const layouts = (...layoutParsingResults: object[]) => answer({ layoutParsingResults });
const fault = (status: number, errorMsg: string, errorCode = status) => ({
  status,
  body: { logId: 'l', errorCode, errorMsg },
});

interface Case {
  readonly input?: EngineInput;
  readonly native?: Record<string, unknown>;
  readonly engine?: Partial<Engine>;
  readonly path?: string;
  readonly language?: string;
  readonly positions?: boolean;
}

function read(
  script: Behaviour,
  { input = PICTURE, native = {}, engine = {}, path = '', language = 'en', positions = false }: Case = {},
) {
  provider.script(script);
  const configured = { id: 'x', baseUrl: `${provider.origin}${path}`, apiKey: null, model: null, ...engine } as Engine; // what open() reads
  const adapter = paddle.open(configured, { http } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings: EngineSettings = {
    language,
    languageNative: [language],
    dpi: null,
    detectTables: false,
    native,
    positions,
  };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = () => JSON.parse(provider.calls[0]?.body ?? '{}');

describe('the request to PaddleOCR', () => {
  it('carries the picture, and wants no drawings back', async () => {
    const { warnings } = await read(results(page('x')));
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/ocr' });
    expect(provider.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(sent()).toMatchObject({ file: 'AAEC+g==', fileType: 1, visualize: false });
    expect(warnings).toEqual([]);
  });

  it('carries a whole PDF as one', async () => {
    await read(results(page('x')), { input: PDF });
    expect(sent()).toMatchObject({ file: Buffer.from('%PDF-1.7').toString('base64'), fileType: 0 });
  });

  it.each([
    ['/paddle', 'PP-OCRv5', '/paddle/ocr'],
    ['', 'PaddleOCR-VL', '/layout-parsing'],
    ['/layout-parsing', null, '/layout-parsing'],
    ['/paddle/ocr', 'PaddleOCR-VL', '/paddle/ocr'],
  ])('goes with the base_url %j and the model %j to %s', async (path, model, expected) => {
    await read(results(), { path, engine: { model } });
    expect(provider.calls[0]?.path).toBe(expected);
  });

  it('carries the key where one is configured', async () => {
    await read(results(), { engine: { apiKey: KEY } });
    expect(provider.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it('lets native_settings win', async () => {
    await read(results(page('x')), { native: { useDocUnwarping: true, textRecScoreThresh: 0.4 } });
    expect(sent()).toMatchObject({ file: 'AAEC+g==', useDocUnwarping: true, textRecScoreThresh: 0.4 });
  });

  it('warns that the server chooses the language', async () => {
    const { warnings } = await read(results(page('x')), { language: 'ja' });
    expect(warnings).toEqual([expect.stringContaining('"ja" was not sent')]);
  });
});

describe('the ending of PaddleOCR’s answer', () => {
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['text', results(page('text')), { kind: 'ok' }],
    ['text in Markdown', layouts(layout('text')), { kind: 'ok' }],
    ['no text', results(page()), { kind: 'empty' }],
    ['no page at all', results(), { kind: 'empty' }],
    ['nothing but pictures', layouts(layout('<img src="imgs/1.jpg" />')), { kind: 'empty' }],
    [
      'nothing but pictures in the middle of the page',
      layouts(layout('<div style="text-align: center;"><img src="imgs/1.jpg" alt="Image" width="50%" /></div>\n')),
      { kind: 'empty' },
    ],
    ['a picture it cannot read', fault(422, 'Unable to read image'), { kind: 'unreadable' }],
    ['a field it does not know', fault(422, 'Input validation error'), { kind: 'failed', temporary: false }],
    ['a failure inside HTTP 200', fault(200, 'Internal server error', 500), { kind: 'failed', temporary: true }],
    ['a failure with a code of its own', fault(200, 'Unknown', 7), { kind: 'failed', temporary: true }],
    ['a proxy that gives up', { status: 504, body: '<html>' }, { kind: 'failed', temporary: true }],
    ['pages without texts', results({ prunedResult: {} }), { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending, billed: 'no', usage: null });
    if (reading.ending.kind === 'ok') expect(reading.pages).toMatchObject([{ number: 3, text: 'text' }]);
  });

  it('says what the server said', async () => {
    const { ending } = await read(fault(422, 'Input validation error'));
    expect(ending).toMatchObject({ message: expect.stringContaining('Input validation error') });
  });

  it('has the lines in their order, their mean confidence and the log’s id', async () => {
    const reading = await read(results(page('one', 'two')));
    expect(reading).toMatchObject({ providerRequestId: 'l', pages: [{ text: 'one\ntwo' }] });
    expect(reading.pages[0]?.confidence).toBeCloseTo(0.85);
    expect((await read(layouts(layout('one')))).pages[0]?.confidence).toBeNull();
  });
});

describe('where PaddleOCR’s lines stand', () => {
  const picture = { ...PICTURE.picture, width: 200, height: 100 };
  const input: EngineInput = { ...PICTURE, picture };
  const rec_boxes = [[20, 10, 120, 30]];
  const rec_polys: [number, number][][] = [
    [
      [21, 10],
      [120, 12],
      [119, 30],
      [20, 28],
    ],
  ];
  const placed = (geometry: object) =>
    results({ prunedResult: { rec_texts: ['text'], rec_scores: [0.9], ...geometry } });
  const layoutOf = async (geometry: object, native = {}) =>
    (await read(placed(geometry), { input, positions: true, native })).pages[0]?.layout ?? null;

  it('is told by its polygons, and by upright boxes where there are none', async () => {
    const [tilted, upright] = [await layoutOf({ rec_polys, rec_boxes }), await layoutOf({ rec_boxes })];
    expect(tilted).toMatchObject({
      width: 200,
      height: 100,
      lines: [{ text: 'text', box: quadFrom(rec_polys[0] ?? []) }],
    });
    const box = quadOf({ left: 20, top: 10, width: 100, height: 20 });
    expect(upright).toMatchObject({ width: 200, height: 100, lines: [{ text: 'text', box, confidence: 0.9 }] });
    expect((await layoutOf({}))?.lines ?? []).toEqual([]);
  });

  it.each(['useDocOrientationClassify', 'useDocUnwarping'])('is not told where %s moves the page', async (field) => {
    expect(await layoutOf({ rec_boxes }, { [field]: true })).toBeNull();
    expect(await layoutOf({ rec_boxes }, { [field]: false })).not.toBeNull();
  });
});

describe('a PDF that PaddleOCR reads', () => {
  it('gives the pages that were asked for', async () => {
    const { pages, warnings } = await read(results(page('1'), page('2'), page('3'), page()), { input: PDF });
    expect(pages).toMatchObject([
      { number: 2, text: '2' },
      { number: 4, text: '' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('names the pages that the server left out', async () => {
    const { ending, pages, warnings } = await read(results(page('1'), page('2')), { input: PDF });
    expect(ending).toEqual({ kind: 'ok' });
    expect(pages).toMatchObject([{ number: 2, text: '2' }]);
    expect(warnings).toEqual([expect.stringMatching(/first 2 pages.*1 of the pages asked for/)]);
  });

  it('fails when the server left out all of them', async () => {
    const reading = await read(results(page('1')), { input: PDF });
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: false }, pages: [] });
  });
});

describe('what PaddleOCR’s configuration lacks', () => {
  it.each([
    [null, 'base_url is missing'],
    ['gpu', 'base_url is not an address'],
    ['http://gpu:8080', null],
  ])('with the base_url %j is %j', (baseUrl, expected) => {
    expect(missingSetting(paddle, { baseUrl, apiKey: null, model: null, region: null })).toBe(expected);
  });
});
