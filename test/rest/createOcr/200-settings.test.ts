import { beforeEach, expect, it } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import type { EngineCall } from '../../house/engine-call.ts';
import { ask } from '../../house/graphql.ts';
import { type OcrFields, ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { pdfOfPages } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

async function read(fields: OcrFields): Promise<{ body: OcrAnswer; call: EngineCall }> {
  const { caller } = await house.account();
  const { status, body } = await caller.ocr(await pictureBody('wider', fields));
  expect(status, JSON.stringify(body)).toBe(200);
  const call = house.engines.calls('wider').at(-1);
  if (!call) throw new Error('the engine was not called');
  return { body, call };
}

it.each([
  ['en', 'English'],
  ['ja', 'Japanese'],
  ['zh', 'Chinese'],
  ['ko', 'Korean'],
  ['ar', 'Arabic'],
])('maps settings.language %s to the prompt language %s of an LLM engine', async (language, inWords) => {
  const { body, call } = await read({ settings: { language } });
  expect(body.applied_settings).toMatchObject({ language, language_native: inWords });
  expect(call.prompt).toContain(inWords);
});

it('reads English by default', async () => {
  const { call } = await read({});
  expect(call.prompt).toContain('English');
});

it('passes an unknown language through with a warning', async () => {
  const { body } = await read({ settings: { language: 'nonsense' } });
  expect(body.status).toBe('succeeded');
  expect(body.warnings?.join('\n')).toContain('nonsense');
});

it('prefers settings.language to options.language_hints', async () => {
  const { body } = await read({ settings: { language: 'ja' }, options: { language_hints: ['kor'] } });
  expect(body.applied_settings).toMatchObject({ language: 'ja', language_native: 'Japanese' });
});

it('prefers settings.detect_tables to options.detect_tables', async () => {
  const { body } = await read({ settings: { detect_tables: true }, options: { detect_tables: false } });
  expect(body.applied_settings).toMatchObject({ detect_tables: true });
});

it('takes options.detect_tables for the same thing', async () => {
  const { body } = await read({ options: { detect_tables: true } });
  expect(body.applied_settings).toMatchObject({ detect_tables: true });
});

it('forwards native_settings without transformation', async () => {
  const native_settings = { temperature: 0.7, seed: 42, vendor: { nested: [1, 'two', null] } };
  const { body, call } = await read({ native_settings });
  expect(call.body).toMatchObject(native_settings);
  expect(body.applied_settings).toMatchObject({ native: native_settings });
});

it('sends the provider its model and its key', async () => {
  const { call } = await read({});
  expect(call.body['model']).toBe('scripted-1');
  expect(call.headers['authorization']).toBe('Bearer provider-secret');
});

it.each([
  [72, 100, 200],
  [144, 200, 400],
])('renders PDF pages at settings.dpi %i', async (dpi, width, height) => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('wider', pdfOfPages(1), { settings: { dpi } }));
  expect(body.applied_settings).toMatchObject({ dpi });
  expect(await house.engines.calls('wider')[0]?.size()).toEqual({ width, height });
});

it('renders PDF pages at 300 dpi unless told otherwise', async () => {
  const { caller } = await house.account();
  await caller.ocr(ocrBody('wider', pdfOfPages(1)));
  const { width = 0, height = 0 } = (await house.engines.calls('wider')[0]?.size()) ?? {};
  expect(Math.abs(width - (100 * 300) / 72)).toBeLessThanOrEqual(1);
  expect(Math.abs(height - (200 * 300) / 72)).toBeLessThanOrEqual(1);
});

it('records the output format that was asked for', async () => {
  const { body } = await read({ output_format: 'json' });
  expect(body.applied_settings).toMatchObject({ output_format: 'json' });
});

it('warns that scanned_handling does not concern an engine that reads pictures', async () => {
  const { body } = await read({ scanned_handling: 'skip' });
  expect(body.warnings?.join('\n')).toContain('scanned_handling');
});

it('hands long texts of native_settings to the engine, by REST and by GraphQL', async () => {
  const vendor = 'a long word '.repeat(1000);
  const { call } = await read({ native_settings: { vendor } });
  expect(call.body['vendor']).toBe(vendor);
  const { caller } = await house.account();
  const { engine, input } = await pictureBody('wider');
  const request = { engine, input: { type: 'base64', dataBase64: input.data_base64 }, nativeSettings: { vendor } };
  const query =
    'mutation ($request: OcrRequestInput!) { submitOcr(request: $request, idempotencyKey: "k") { status } }';
  expect((await ask(caller, query, { request })).codes).toEqual([]);
  expect(house.engines.calls('wider').at(-1)?.body['vendor']).toBe(vendor);
});
