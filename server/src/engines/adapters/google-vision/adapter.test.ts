import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { TimeLimitError } from '../../model/stop-reasons.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY, type WireCall } from '../wires/wire-type.ts';
import { googleVision } from './adapter.ts';

type LookupFound = (error: null, addresses: { address: string; family: number }[]) => void;

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [2, 3, 4, 5, 6, 8] };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const text = (words: string, more: object = {}) => ({ fullTextAnnotation: { text: words }, ...more });
const answer = (...responses: object[]) => ({ status: 200, body: { responses } });
const error = (code: number, message = 'x') => answer({ error: { code, message } });
/** Answers for the pages that a call asks for. */
const eachPage = ({ body }: WireCall) => {
  const pages: number[] = JSON.parse(body).requests[0].pages;
  const responses = pages.map((pageNumber) => text(`page ${pageNumber}`, { context: { pageNumber } }));
  return answer({ responses, totalPages: 9 });
};

/** Answers so where no more pages are asked for; else with more than is taken. */
const overMb = (most: number) => (call: WireCall) => {
  const isTaken = JSON.parse(call.body).requests[0].pages.length <= most;
  return isTaken ? eachPage(call) : { status: 200, body: ' '.repeat(17 * 1024 * 1024) };
};

function read(
  scripts: Behaviour | Behaviour[],
  input = PICTURE,
  more: Partial<EngineSettings> = {},
  { signal = new AbortController().signal, host = '127.0.0.1', through = http } = {},
) {
  provider.script(...[scripts].flat());
  const baseUrl = provider.origin.replace('127.0.0.1', host);
  const engine = { id: 'x', baseUrl, apiKey: KEY } as Engine; // what open() reads
  const adapter = googleVision.open(engine, { http: through } as unknown as AdapterTools) as Adapter; // it uses http only
  const settings = { language: 'en', languageNative: ['en'], dpi: null, detectTables: false, native: {}, ...more };
  return adapter.read(input, settings, signal);
}

const sent = (call = 0) => JSON.parse(provider.calls[call]?.body ?? '{}').requests[0];

describe('the request to Vision', () => {
  it('carries the picture, and the key outside the address', async () => {
    await read(answer(text('x')));
    expect(provider.calls[0]).toMatchObject({ method: 'POST', path: '/v1/images:annotate' });
    expect(provider.calls[0]?.headers).toMatchObject({ 'x-goog-api-key': KEY });
    expect(sent()).toEqual({ image: { content: 'AAEC+g==' }, features: [{ type: 'DOCUMENT_TEXT_DETECTION' }] });
  });

  it('asks Google, and nobody else, to leave out the indentation', async () => {
    const lookup = (_: string, __: object, found: LookupFound) => found(null, [{ address: '127.0.0.1', family: 4 }]);
    const google = new Agent({ connect: { lookup } });
    onTestFinished(() => google.destroy());
    await read(answer(text('x')), PICTURE, {}, { host: 'vision.googleapis.com', through: google });
    expect(provider.calls[0]).toMatchObject({ path: '/v1/images:annotate?prettyPrint=false' });
  });

  it('carries the languages that Vision knows, and says which it left out', async () => {
    const { warnings } = await read(answer(text('x')), PICTURE, { languageNative: ['ja', 'he', 'qqq'] });
    expect(sent()).toMatchObject({ imageContext: { languageHints: ['ja', 'iw'] } });
    expect(warnings).toEqual(['This engine takes no hint for language "qqq"; it was left out.']);
  });

  it('lets native_settings win', async () => {
    const native = { imageContext: { languageHints: ['ko'] } };
    await read(answer(text('x')), PICTURE, { languageNative: ['ja'], native });
    expect(sent()).toMatchObject(native);
    const settings = { language: 'ja', languageNative: ['ja'], dpi: null, detectTables: false, native };
    expect(googleVision.forwards?.(settings, 1)).toEqual({ language: 'ko', languageNative: ['ko'], native });
  });
});

describe('a PDF', () => {
  it('is read five pages a call', async () => {
    const reading = await read(eachPage, PDF);
    expect(provider.calls.map(({ path }) => path)).toEqual(Array(2).fill('/v1/files:annotate'));
    expect([sent(0).pages, sent(1).pages]).toEqual([[2, 3, 4, 5, 6], [8]]);
    expect(reading.pages.map((page) => page.text)).toEqual([2, 3, 4, 5, 6, 8].map((page) => `page ${page}`));
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, billed: 'yes', warnings: [] });
  });

  it('misses the pages that are left out or failed', async () => {
    const responses = [
      text('two', { context: { pageNumber: 2 } }),
      { error: { code: 13 }, context: { pageNumber: 3 } },
    ];
    const reading = await read([answer({ responses }), eachPage], PDF);
    expect(reading.pages.map((page) => page.number)).toEqual([2, 8]);
    expect(reading.warnings).toEqual(['The engine answered for 1 of 5 pages; missing: 3, 4, 5, 6.']);
  });

  it('keeps the blank page of a call without text', async () => {
    const reading = await read([eachPage, answer({ responses: [{ context: { pageNumber: 8 } }] })], PDF);
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, pages: [{}, {}, {}, {}, {}, { number: 8, text: '' }] });
  });

  it('keeps the pages that were read before a call failed, and says why the others are missing', async () => {
    const reading = await read([eachPage, { status: 503, body: {} }], PDF);
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, billed: 'yes' });
    expect(reading.pages.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
    expect(reading.warnings).toEqual([
      'The engine answered for 5 of 6 pages; missing: 8.',
      'The engine answered with HTTP 503.',
    ]);
  });

  it('keeps the pages that were read before its time was over, and nothing where that was so in its first call', async () => {
    const late = (earlier: Behaviour[]) => {
      const time = new AbortController();
      const silent = { handle: () => time.abort(new TimeLimitError('the engine limit')) };
      return read([...earlier, silent], PDF, {}, { signal: time.signal });
    };
    const reading = await late([eachPage]);
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, billed: 'unknown' });
    expect(reading.pages.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
    expect(reading.warnings).toEqual([
      'The engine answered for 5 of 6 pages; missing: 8.',
      'The engine did not answer in time; its work was stopped.',
    ]);
    await expect(late([])).rejects.toBeInstanceOf(TimeLimitError);
  });

  it('ends as its failed call does where no page before it has text, and is billed for those', async () => {
    const blank = { responses: [{ context: { pageNumber: 2 } }] };
    const reading = await read([answer(blank), { status: 503, body: {} }], PDF);
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: true }, pages: [], billed: 'yes' });
  });

  it('is not read on after a failed call', async () => {
    await read({ status: 503, body: {} }, PDF);
    expect(provider.calls).toHaveLength(1);
  });

  it('is asked for in smaller calls where the answer to five pages is more than is taken', async () => {
    const reading = await read(overMb(2), PDF);
    const asked = provider.calls.map((_, call) => sent(call).pages);
    expect(asked).toEqual([
      [2, 3, 4, 5, 6],
      [2, 3],
      [4, 5],
      [6, 8],
    ]);
    expect(reading.pages.map((page) => page.text)).toEqual([2, 3, 4, 5, 6, 8].map((page) => `page ${page}`));
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, billed: 'unknown', warnings: [] });
  });

  it('fails where the answer to one page is more than is taken, and keeps the pages before it', async () => {
    const none = await read(overMb(0), PDF);
    expect(provider.calls.map((_, call) => sent(call).pages.length)).toEqual([5, 2, 1]);
    const ending = { kind: 'failed', temporary: false, message: 'The engine’s answer is larger than 16 MB.' };
    expect(none).toMatchObject({ ending, billed: 'unknown', pages: [] });
    const some = await read([eachPage, overMb(0)], PDF);
    expect(some).toMatchObject({ ending: { kind: 'ok' }, billed: 'unknown' });
    expect(some.warnings).toEqual(['The engine answered for 5 of 6 pages; missing: 8.', ending.message]);
  });

  it('is unreadable when Vision says so of the whole file', async () => {
    const reading = await read(answer({ error: { code: 3, message: 'Bad image data.' } }), PDF);
    expect(reading).toMatchObject({ ending: { kind: 'unreadable' }, billed: 'no' });
  });
});

describe('the ending of Vision’s answer', () => {
  const table: [name: string, script: Behaviour, ending: object][] = [
    ['text', answer(text('x')), { kind: 'ok' }],
    ['nothing', answer({}), { kind: 'empty' }],
    ['an annotation without text', answer(text('')), { kind: 'empty' }],
    ['bad data', error(3, 'Bad image data.'), { kind: 'unreadable' }],
    ['a bad argument', error(3, 'Unsupported feature'), { kind: 'failed', temporary: false, httpStatus: 400 }],
    ['a spent quota', error(8), { kind: 'failed', temporary: true, httpStatus: 429 }],
    ['missing permission', error(7), { kind: 'failed', temporary: false, httpStatus: 403 }],
    ['an inner fault', error(13), { kind: 'failed', temporary: true }],
    ['no response', answer(), { kind: 'failed', temporary: true }],
  ];
  it.each(table)('by %s', async (_name, script, ending) => {
    expect(await read(script)).toMatchObject({ ending });
  });

  it('carries the confidence that is reported', async () => {
    const reading = await read(answer({ fullTextAnnotation: { text: 'x', pages: [{ confidence: 0.97 }] } }));
    expect(reading.pages).toEqual([{ number: 3, text: 'x', confidence: 0.97, source: 'engine' }]);
  });
});

describe('where the text stands', () => {
  type Corner = { x?: number; y?: number };
  const word = (letters: string, corners: Corner[], { space = 'vertices', ending = 'SPACE' } = {}) => ({
    boundingBox: { [space]: corners },
    symbols: [...letters].map((symbol, i) => ({
      text: symbol,
      ...(i === letters.length - 1 && { property: { detectedBreak: { type: ending } } }),
    })),
  });
  const page = (width: number, height: number, ...words: object[]) =>
    text('x', { fullTextAnnotation: { text: 'x', pages: [{ width, height, blocks: [{ paragraphs: [{ words }] }] }] } });
  const layoutOf = async (response: object, input: EngineInput = PICTURE) => {
    const script = input.kind === 'picture' ? answer(response) : answer({ responses: [response] });
    return (await read(script, input, { positions: true })).pages[0]?.layout;
  };
  const onePage: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1] };
  const square = (left: number, top: number, right: number, bottom: number): Corner[] => [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];

  it('is told of a PDF in the points of its page, whose shape says whether it was turned', async () => {
    const corners = square(0.25, 0.5, 0.75, 0.625);
    const layout = await layoutOf(page(800, 600, word('fox', corners, { space: 'normalizedVertices' })), onePage);
    expect(layout).toMatchObject({
      width: 800,
      height: 600,
      lines: [{ box: [200, 300, 600, 300, 600, 375, 200, 375], block: 1 }],
    });
  });

  it('has 0 where a coordinate is left out', async () => {
    const layout = await layoutOf(page(200, 100, word('fox', [{}, { x: 50 }, { x: 50, y: 20 }, { y: 20 }])));
    expect(layout?.lines).toMatchObject([{ box: [0, 0, 50, 0, 50, 20, 0, 20] }]);
  });

  it('is told in lines, each of which ends in a break of one', async () => {
    const endings = ['SPACE', 'EOL_SURE_SPACE', 'SURE_SPACE', 'HYPHEN', 'LINE_BREAK', 'UNKNOWN'];
    const words = endings.map((ending, i) => word(`w${i}`, square(i * 20, 10, i * 20 + 10, 20), { ending }));
    const layout = await layoutOf(page(200, 100, ...words));
    expect(layout?.lines.map((line) => line.text)).toEqual(['w0 w1', 'w2 w3', 'w4', 'w5']);
  });
});

it('needs a key, and an address only where it is not Google’s', () => {
  const engine = { baseUrl: null, apiKey: KEY, model: null, region: null };
  expect(missingSetting(googleVision, engine)).toBeNull();
  expect(missingSetting(googleVision, { ...engine, apiKey: null })).toBe('api_key is missing');
  expect(missingSetting(googleVision, { ...engine, baseUrl: 'google' })).toBe('base_url is not an address');
});
