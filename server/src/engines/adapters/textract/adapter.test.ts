import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { textract } from './adapter.ts';

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

const blocks = (...Blocks: object[]) => ({
  status: 200,
  headers: { 'x-amzn-requestid': 'r1' },
  body: { DetectDocumentTextModelVersion: '1.0', DocumentMetadata: { Pages: 1 }, Blocks },
});
const line = (Text: string, Confidence = 90) => ({ BlockType: 'LINE', Text, Confidence });
const fault = (type: string, status = 400) => ({ status, body: { __type: type, Message: 'Because.' } });

async function read(script: Behaviour, { input = PICTURE, native = {}, language = 'en' }: Case = {}) {
  provider.script(script);
  const apiKey = `AKIDEXAMPLE:${KEY}`;
  const engine = { id: 'x', baseUrl: provider.origin, apiKey, region: 'eu-west-1' } as Engine; // what open() reads
  const adapter: Adapter = await textract.open(engine, { http } as unknown as AdapterTools); // it uses http only
  const settings: EngineSettings = { language, languageNative: [language], dpi: null, detectTables: false, native };
  return adapter.read(input, settings, new AbortController().signal);
}

interface Case {
  readonly input?: EngineInput;
  readonly native?: Record<string, unknown>;
  readonly language?: string;
}

describe('the request to Textract', () => {
  it('carries the picture, signed for the region', async () => {
    await read(blocks());
    const [call] = provider.calls;
    expect(call).toMatchObject({ method: 'POST', path: '/' });
    expect(call?.headers).toMatchObject({
      'x-amz-target': 'Textract.DetectDocumentText',
      'content-type': 'application/x-amz-json-1.1',
      authorization: expect.stringMatching(/AKIDEXAMPLE\/\d{8}\/eu-west-1\/textract\/aws4_request/),
    });
    expect(JSON.parse(call?.body ?? '')).toEqual({ Document: { Bytes: 'AAEC+g==' } });
    expect(JSON.stringify(call)).not.toContain(KEY);
  });

  it('is one call, also where Textract asks to come back', async () => {
    await read(fault('ThrottlingException'));
    expect(provider.calls).toHaveLength(1);
  });

  it('never takes another document from native_settings', async () => {
    await read(blocks(), { native: { Document: { S3Object: { Bucket: 'b', Name: 'n' } } } });
    expect(JSON.parse(provider.calls[0]?.body ?? '')).toEqual({ Document: { Bytes: 'AAEC+g==' } });
  });

  it.each([
    ['en', []],
    ['de+fr', []],
    ['en+ja', [expect.stringContaining('"en+ja" had no effect')]],
  ])('warns of languages that Textract does not read: %s', async (language, warnings) => {
    expect((await read(blocks(line('x')), { language })).warnings).toEqual(warnings);
  });

  it('is not made for a whole PDF, which is a fault of the configuration', async () => {
    expect(await read(blocks(), { input: PDF })).toMatchObject({
      ending: { kind: 'failed', temporary: false },
      billed: 'no',
    });
    expect(provider.calls).toEqual([]);
  });
});

describe('the ending of Textract’s answer', () => {
  const failed = (temporary: boolean) => ({ ending: { kind: 'failed', temporary }, billed: 'no' });
  const table: [name: string, script: Behaviour, reading: object][] = [
    ['lines', blocks(line('text')), { ending: { kind: 'ok' }, billed: 'yes' }],
    ['no lines', blocks({ BlockType: 'PAGE' }), { ending: { kind: 'empty' }, billed: 'yes' }],
    ['words without lines', blocks({ BlockType: 'WORD', Text: 'x' }), { ending: { kind: 'empty' }, billed: 'yes' }],
    ['throttling', fault('ThrottlingException'), failed(true)],
    ['throughput', fault('com.amazonaws.textract#ProvisionedThroughputExceededException'), failed(true)],
    ['an internal error', fault('InternalServerError', 500), failed(true)],
    ['a proxy', { status: 503, body: '<html>' }, failed(true)],
    ['no permission', fault('AccessDeniedException'), failed(false)],
    ['a wrong signature', fault('InvalidSignatureException', 403), failed(false)],
    ['a wrong parameter', fault('InvalidParameterException'), failed(false)],
    ['too large a picture', fault('DocumentTooLargeException'), failed(false)],
    ['a bad document', fault('BadDocumentException'), { ending: { kind: 'unreadable' }, billed: 'no' }],
    ['a PDF of many pages', fault('UnsupportedDocumentException'), { ending: { kind: 'unreadable' }, billed: 'no' }],
    [
      'an exception in the header only',
      { status: 400, headers: { 'x-amzn-errortype': 'ThrottlingException:http://x/' }, body: '' },
      failed(true),
    ],
  ];
  it.each(table)('by %s', async (_name, script, reading) => {
    expect(await read(script)).toMatchObject(reading);
  });

  it('has the lines in order, confidence from 0 to 1, the usage and the ids', async () => {
    const reading = await read(
      blocks({ BlockType: 'PAGE' }, line('one', 80), line('two', 100), { BlockType: 'WORD', Text: 'one' }),
    );
    expect(reading).toMatchObject({
      pages: [{ number: 3, text: 'one\ntwo' }],
      usage: { inputTokens: null, outputTokens: null, pages: 1, raw: { Pages: 1 } },
      providerRequestId: 'r1',
      modelVersion: '1.0',
    });
    expect(reading.pages[0]?.confidence).toBeCloseTo(0.9);
  });
});

describe('what Textract’s configuration lacks', () => {
  const engine = { baseUrl: null, apiKey: null, model: null, region: 'eu-west-1' };
  it.each([
    [engine, null],
    [{ ...engine, apiKey: 'id:secret' }, null],
    [{ ...engine, apiKey: 'secret' }, 'api_key is not ID:secret'],
    [{ ...engine, region: null }, 'region is missing'],
    [{ ...engine, baseUrl: 'aws' }, 'base_url is not an address'],
  ])('of %j is %j', (configured, expected) => {
    expect(missingSetting(textract, configured)).toBe(expected);
  });
});
