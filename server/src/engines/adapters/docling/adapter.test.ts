import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { docling } from './adapter.ts';

const PICTURE: EngineInput = {
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

const conversion = (status: string, md_content: string | null, ...messages: string[]) => ({
  status: 200,
  body: { document: { md_content }, status, errors: messages.map((error_message) => ({ error_message })) },
});
const detail = (status: number, words: unknown) => ({ status, body: { detail: words } });

interface Case {
  readonly input?: EngineInput;
  readonly native?: Record<string, unknown>;
  readonly engine?: Partial<Engine>;
  readonly detectTables?: boolean;
}

function read(
  script: Behaviour | Behaviour[],
  { input = PICTURE, native = {}, engine = {}, detectTables = false }: Case = {},
) {
  provider.script(...[script].flat());
  const configured = { id: 'x', baseUrl: provider.origin, apiKey: null, model: null, ...engine } as Engine; // what open() reads
  const adapter = docling.open(configured, { http } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings: EngineSettings = { language: 'zh', languageNative: ['ch_sim'], dpi: null, detectTables, native };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = (call = 0) => JSON.parse(provider.calls[call]?.body ?? '{}');

describe('the request to docling-serve', () => {
  it('carries the picture, the languages, and asks for Markdown without pictures', async () => {
    await read(conversion('success', 'x'));
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/v1/convert/source' });
    expect(provider.calls[0]?.headers).not.toHaveProperty('x-api-key');
    expect(sent()).toMatchObject({
      options: {
        from_formats: ['image'],
        to_formats: ['md'],
        force_ocr: true,
        ocr_engine: 'easyocr',
        ocr_lang: ['ch_sim'],
        image_export_mode: 'placeholder',
      },
      sources: [{ kind: 'file', base64_string: 'AAEC+g==', filename: 'page.png' }],
      target: { kind: 'inbody' },
    });
    expect(sent().options).not.toHaveProperty('page_range');
  });

  it('carries the key, the OCR engine and the wish for tables', async () => {
    await read(conversion('success', 'x'), { engine: { apiKey: KEY, model: 'rapidocr' }, detectTables: true });
    expect(provider.calls[0]?.headers).toMatchObject({ 'x-api-key': KEY });
    expect(sent().options).toMatchObject({ ocr_engine: 'rapidocr', do_table_structure: true });
  });

  it('lets native_settings win', async () => {
    const native = { options: { force_ocr: false, pdf_backend: 'pypdfium2' } };
    await read(conversion('success', 'x'), { native });
    expect(sent()).toMatchObject({ options: { force_ocr: false, pdf_backend: 'pypdfium2', do_ocr: true } });
  });

  it('tells the languages, and whether tables are found, as native_settings have it', () => {
    const settings = { language: 'zh', languageNative: ['ch_sim'], dpi: null, detectTables: true };
    const native = { options: { ocr_lang: ['ko'], do_table_structure: false } };
    expect(docling.forwards?.({ ...settings, native }, 1)).toEqual({
      language: 'ko',
      languageNative: ['ko'],
      findsTables: false,
      native,
    });
    const asAsked = docling.forwards?.({ ...settings, native: { options: { force_ocr: false } } }, 1);
    expect(asAsked).toMatchObject({ language: 'zh', languageNative: ['ch_sim'] });
    expect(asAsked).not.toHaveProperty('findsTables');
  });
});

describe('the ending of docling’s answer', () => {
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['success', conversion('success', 'text'), { kind: 'ok' }],
    ['success beside pictures', conversion('success', '<!-- image -->\n\ntext'), { kind: 'ok' }],
    [
      'plain text only',
      { status: 200, body: { document: { text_content: 'text' }, status: 'success' } },
      { kind: 'ok' },
    ],
    ['a status nobody knows', conversion('nearly', 'text'), { kind: 'ok' }],
    ['a status nobody knows without text', conversion('nearly', ''), { kind: 'failed', temporary: true }],
    ['success without text', conversion('success', ''), { kind: 'empty' }],
    ['success without a document', { status: 200, body: { status: 'success' } }, { kind: 'empty' }],
    ['nothing but pictures', conversion('success', '<!-- image -->\n\n<!-- image -->\n'), { kind: 'empty' }],
    ['a part', conversion('partial_success', 'te', 'timeout'), { kind: 'truncated' }],
    ['a part without text', conversion('partial_success', '', 'timeout'), { kind: 'failed', temporary: true }],
    ['a failure', conversion('failure', null, 'Pipeline stopped'), { kind: 'failed', temporary: true }],
    ['a broken file', conversion('failure', null, 'Input document page.png is not valid.'), { kind: 'unreadable' }],
    ['a page it skipped', conversion('skipped', null), { kind: 'failed', temporary: false }],
    ['options it does not take', detail(422, [{ msg: 'extra field', loc: [] }]), { kind: 'failed', temporary: false }],
    ['a wait that was too long', detail(504, 'too long'), { kind: 'failed', temporary: true }],
    [
      'a conversion that left no result',
      detail(404, 'Task result not found. Please wait for a completion status.'),
      { kind: 'failed', temporary: true, httpStatus: 404, message: expect.stringContaining('conversion failed') },
    ],
    [
      'an address that is wrong',
      detail(404, 'Not Found'),
      { kind: 'failed', temporary: false, fault: 'unknown_model', httpStatus: 404 },
    ],
    ['a server that still loads', detail(503, 'not ready'), { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending, billed: 'no', usage: null });
    if (reading.ending.kind === 'ok') expect(reading.pages).toMatchObject([{ number: 3, text: 'text' }]);
  });

  it('is told in docling’s words', async () => {
    const { ending } = await read(conversion('failure', null, 'Pipeline stopped', 'No memory'));
    expect(ending).toMatchObject({ message: expect.stringContaining('Pipeline stopped No memory') });
  });

  it('comes with a warning for a status that nobody knows', async () => {
    expect((await read(conversion('nearly', 'text'))).warnings).toEqual([expect.stringContaining('"nearly"')]);
  });
});

describe('a PDF that docling reads', () => {
  it('is read page by page, so that an empty page shifts no other', async () => {
    const script = [conversion('success', ''), conversion('success', 'four')];
    const reading = await read(script, { input: PDF });
    expect([sent(0).options, sent(1).options]).toMatchObject([
      { from_formats: ['pdf'], page_range: [2, 2] },
      { from_formats: ['pdf'], page_range: [4, 4] },
    ]);
    expect(sent().sources).toMatchObject([{ filename: 'document.pdf' }]);
    expect(reading).toMatchObject({
      ending: { kind: 'ok' },
      pages: [
        { number: 2, text: '' },
        { number: 4, text: 'four' },
      ],
    });
  });

  it('is partial where one page is, and empty where all pages are', async () => {
    const partial = await read([conversion('partial_success', 'tw'), conversion('success', 'four')], { input: PDF });
    expect(partial).toMatchObject({ ending: { kind: 'truncated' }, pages: [{ number: 2 }, { number: 4 }] });
    expect(await read(conversion('success', ''), { input: PDF })).toMatchObject({
      ending: { kind: 'empty' },
      pages: [],
    });
  });

  it('fails at the first page that fails, and goes no further', async () => {
    const reading = await read(detail(503, 'not ready'), { input: PDF });
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: true }, pages: [] });
    expect(provider.calls).toHaveLength(1);
  });
});

describe('what docling’s configuration lacks', () => {
  it.each([
    [null, 'base_url is missing'],
    ['gpu', 'base_url is not an address'],
    ['http://gpu:5001', null],
  ])('with the base_url %j is %j', (baseUrl, expected) => {
    expect(missingSetting(docling, { baseUrl, apiKey: null, model: null, region: null })).toBe(expected);
  });
});
