import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY, type WireCall } from '../wires/wire-type.ts';
import { mistralOcr } from './adapter.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [2, 3, 5] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const pages = (texts: Record<number, string>, usage_info: unknown = { pages_processed: 3 }) => ({
  status: 200,
  body: { pages: Object.entries(texts).map(([index, markdown]) => ({ index: Number(index), markdown })), usage_info },
});
const fault = (status: number, body: object) => ({ status, body });

function open(): Adapter {
  const engine = { id: 'x', baseUrl: provider.origin, apiKey: KEY, model: 'mistral-ocr-latest' } as Engine; // what open() reads
  return mistralOcr.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only
}

function read(script: Behaviour, input = PICTURE, more: Partial<EngineSettings> = {}, adapter = open()) {
  provider.script(script);
  const settings = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native: {}, ...more };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = () => JSON.parse(provider.calls[0]?.body ?? '{}');

describe('the request to Mistral', () => {
  it('carries the model, the picture and the key', async () => {
    await read(pages({ 0: 'x' }));
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/v1/ocr' });
    expect(provider.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(sent()).toEqual({
      model: 'mistral-ocr-latest',
      document: { type: 'image_url', image_url: 'data:image/png;base64,AAEC+g==' },
      include_image_base64: false,
      confidence_scores_granularity: 'page',
    });
  });

  it('counts the pages of a PDF from 0', async () => {
    await read(pages({ 1: 'x' }), PDF);
    expect(sent()).toMatchObject({
      document: { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0xLjc=' },
      pages: [1, 2, 4],
    });
  });

  it('lets native_settings win', async () => {
    await read(pages({ 0: 'x' }), PICTURE, { native: { table_format: 'html', image_limit: 2 } });
    expect(sent()).toMatchObject({ table_format: 'html', image_limit: 2 });
  });

  it('has its tables in the text where they are asked for beside it', async () => {
    const body = {
      pages: [
        {
          index: 0,
          markdown: 'Sum\n\n[tbl-0.md](tbl-0.md)',
          tables: [{ id: 'tbl-0.md', content: '| a |\n|---|\n| 1 |', format: 'markdown' }],
        },
      ],
    };
    const { pages: read1 } = await read({ status: 200, body }, PICTURE, { native: { table_format: 'markdown' } });
    expect(read1[0]?.text).toContain('| a |\n|---|\n| 1 |');
  });

  it('carries no language, and says so', async () => {
    const { warnings } = await read(pages({ 0: 'x' }), PICTURE, { language: 'ja', languageNative: ['ja'] });
    expect(provider.calls[0]?.body).not.toContain('"ja"');
    expect(warnings).toEqual(['This engine recognises languages by itself: the language was not passed on.']);
  });
});

describe('blocks', () => {
  const block = {
    type: 'text',
    content: '# Title\n\ntext',
    top_left_x: 0,
    top_left_y: 0,
    bottom_right_x: 5,
    bottom_right_y: 5,
  };
  const image = { ...block, type: 'image', content: '![a](b.jpeg)' };
  const answer = (blocks: object[]) => ({
    status: 200,
    body: { pages: [{ index: 0, markdown: 'x', dimensions: { width: 10, height: 10 }, blocks }] },
  });

  it('are asked for with positions, and give their text without Markdown', async () => {
    const { pages: read1 } = await read(answer([block, image]), PICTURE, { positions: true });
    expect(sent()).toMatchObject({ include_blocks: true });
    expect(read1[0]?.layout).toEqual({
      ...{ width: 10, height: 10, granularity: 'block' },
      lines: [{ text: 'Title\n\ntext', box: [0, 0, 5, 0, 5, 5, 0, 5], confidence: null, block: 1, words: [] }],
    });
  });

  it('are not asked for again of a model that rejects to be asked', async () => {
    const rejection = fault(422, {
      detail: [{ loc: ['body', 'include_blocks'], msg: 'Extra inputs', type: 'extra_forbidden' }],
    });
    const first = await read(
      (call) => (call.body.includes('include_blocks') ? rejection : pages({ 0: 'x' })),
      PICTURE,
      {
        positions: true,
      },
    );
    expect(first).toMatchObject({ ending: { kind: 'ok' }, pages: [{ text: 'x' }] });
    expect(provider.calls.map(({ body }) => body.includes('include_blocks'))).toEqual([true, false]);
  });

  it('and confidence are left out one after the other of a server that takes neither', async () => {
    const rejects = (field: string) =>
      fault(422, {
        detail: [{ loc: ['body', field], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
      });
    const OPTIONAL = ['include_blocks', 'confidence_scores_granularity'];
    const server = ({ body }: WireCall) => {
      const field = OPTIONAL.find((name) => body.includes(name));
      return field ? rejects(field) : pages({ 0: 'x' });
    };
    const adapter = open();
    expect(await read(server, PICTURE, { positions: true }, adapter)).toMatchObject({ pages: [{ text: 'x' }] });
    const asked = provider.calls.map(({ body }) => OPTIONAL.filter((name) => body.includes(name)).length);
    expect(asked).toEqual([2, 1, 0]);
    await read(server, PICTURE, { positions: true }, adapter);
    expect(provider.calls).toHaveLength(1);
  });

  it('leave tables to the text where one of them is none', async () => {
    const table = { ...block, type: 'table', content: '|a|\n|-|\n|b|' };
    const asked = { tables: true };
    expect((await read(answer([table]), PICTURE, asked)).pages[0]?.layout?.tables).toHaveLength(1);
    expect((await read(answer([table, { ...table, content: '[tbl](tbl)' }]), PICTURE, asked)).pages[0]?.layout).toEqual(
      expect.not.objectContaining({ tables: expect.anything() }),
    );
  });
});

describe('the pages of Mistral’s answer', () => {
  it('are numbered as ours, in the order of the document', async () => {
    const reading = await read(pages({ 4: 'five', 1: 'two', 2: 'three' }), PDF);
    expect(reading.pages.map(({ number, text }) => [number, text])).toEqual([
      [2, 'two'],
      [3, 'three'],
      [5, 'five'],
    ]);
    expect(reading.warnings).toEqual([]);
  });

  it('are missed where they are left out', async () => {
    const reading = await read(pages({ 1: 'two' }), PDF);
    expect(reading.pages.map(({ number }) => number)).toEqual([2]);
    expect(reading.warnings).toEqual(['The engine answered for 1 of 3 pages; missing: 3, 5.']);
  });

  it('are blank without anything, and not read where there is nothing but pictures', async () => {
    const reading = await read(pages({ 1: 'two', 2: '', 4: '![img-0.jpeg](img-0.jpeg)' }), PDF);
    expect(reading.pages.map(({ number }) => number)).toEqual([2, 3]);
    expect(reading.warnings).toEqual([]);
  });

  it('carry the confidence that is reported', async () => {
    const page = { index: 0, markdown: 'x', confidence_scores: { average_page_confidence_score: 0.93 } };
    const reading = await read({ status: 200, body: { pages: [page] } });
    expect(reading).toMatchObject({ pages: [{ confidence: 0.93 }], usage: null });
  });

  it.each([
    [{ pages_processed: 3 }, 3],
    [{ pages_processed: 0, pages_processed_annotation: 3 }, 3],
    [{ pages_processed: null }, null],
    [{ pages_processed: -1 }, null],
  ])('are counted by %j as %s', async (raw, expected) => {
    expect((await read(pages({ 0: 'x' }, raw))).usage).toMatchObject({ pages: expected, raw });
  });
});

describe('the ending of Mistral’s answer', () => {
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['text', pages({ 0: 'x' }), { kind: 'ok' }],
    ['no text', pages({ 0: ' ' }), { kind: 'empty' }],
    ['no page', pages({}), { kind: 'empty' }],
    ['nothing but pictures', pages({ 0: '![a](b.jpeg)\n\n![c](d.jpeg)' }), { kind: 'empty' }],
    ['a wrong path', fault(404, { detail: 'Not Found' }), { kind: 'failed', temporary: false }],
    [
      'a bad field',
      fault(422, { detail: [{ loc: ['x'], msg: 'Extra', type: 'x' }] }),
      { kind: 'failed', temporary: false },
    ],
    ['overload', fault(503, { message: 'overloaded' }), { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    expect(await read(script)).toMatchObject({ ending });
  });
});

it.each([
  ['model', 'model is missing'],
  ['apiKey', 'api_key is missing'],
])('says that %s is missing', (field, message) => {
  const engine = { baseUrl: null, apiKey: KEY, model: 'm', region: null };
  expect(missingSetting(mistralOcr, engine)).toBeNull();
  expect(missingSetting(mistralOcr, { ...engine, [field]: null })).toBe(message);
  expect(missingSetting(mistralOcr, { ...engine, baseUrl: 'mistral' })).toBe('base_url is not an address');
});
