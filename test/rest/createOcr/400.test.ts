import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ErrorAnswer } from '../../house/answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { picture } from '../../house/pictures.ts';

const house = await openHouse({ engines: { reader: {}, unfinished: { model: null }, whole: { native_pdf: true } } });
const { accountId, caller } = await house.account({ credit: 1 });
afterAll(() => house[Symbol.asyncDispose]());
afterEach(async () => {
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, accountId, 1);
});

const PNG = (await picture()).toString('base64');
const good = { engine: 'reader', input: { type: 'base64', data_base64: PNG } };
const withInput = (input: unknown) => ({ ...good, input });

describe('a field that is missing or malformed is named', () => {
  it.each<[field: string, body: unknown]>([
    ['engine', { input: good.input }],
    ['engine', { ...good, engine: null }],
    ['engine', { ...good, engine: { id: 'reader' } }],
    ['input', { engine: 'reader' }],
    ['input', withInput(null)],
    ['input', withInput('https://example.com/a.png')],
    ['input', withInput([good.input])],
    ['input.type', withInput({ data_base64: PNG })],
    ['input.type', withInput({ ...good.input, type: 'file' })],
    ['input.type', withInput({ ...good.input, type: 'BASE64' })],
    ['input.url', withInput({ type: 'url' })],
    ['input.url', withInput({ type: 'url', url: null })],
    ['input.url', withInput({ type: 'url', url: '' })],
    ['input.url', withInput({ type: 'url', url: 'not an address' })],
    ['input.url', withInput({ type: 'url', url: '/relative.png' })],
    ['input.url', withInput({ type: 'url', url: 'ftp://example.com/a.png' })],
    ['input.url', withInput({ type: 'url', url: 'file:///etc/hostname' })],
    ['input.url', withInput({ type: 'url', url: `data:image/png;base64,${PNG}` })],
    ['input.url', withInput({ type: 'url', url: { href: 'https://example.com/' } })],
    ['input.data_base64', withInput({ type: 'base64' })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: '' })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: null })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: [PNG] })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: `data:image/png;base64,${PNG}` })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: 'not base64!' })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: `${PNG.slice(0, -4)}AAA*` })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: '-_-_' })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: 'QUJDR' })],
    ['input.data_base64', withInput({ type: 'base64', data_base64: `QUI=${PNG}` })],
    ['input.mime_type', withInput({ ...good.input, mime_type: { type: 'image/png' } })],
    ['options', { ...good, options: 'none' }],
    ['options.language_hints', { ...good, options: { language_hints: { first: 'eng' } } }],
    ['options.detect_tables', { ...good, options: { detect_tables: 'perhaps' } }],
    ['settings', { ...good, settings: 'default' }],
    ['settings.language', { ...good, settings: { language: ['en'] } }],
    ['settings.dpi', { ...good, settings: { dpi: 71 } }],
    ['settings.dpi', { ...good, settings: { dpi: 1201 } }],
    ['settings.dpi', { ...good, settings: { dpi: 150.5 } }],
    ['settings.dpi', { ...good, settings: { dpi: 'sharp' } }],
    ['settings.page_range', { ...good, settings: { page_range: 'all' } }],
    ['settings.page_range', { ...good, settings: { page_range: '3-1' } }],
    ['settings.page_range', { ...good, settings: { page_range: '0' } }],
    ['settings.page_range', { ...good, settings: { page_range: '1,,2' } }],
    ['settings.page_range', { ...good, settings: { page_range: '1-999999999999' } }],
    ['settings.page_range', { ...good, settings: { page_range: '1-21' } }],
    ['settings.detect_tables', { ...good, settings: { detect_tables: 'perhaps' } }],
    ['native_settings', { ...good, native_settings: 'temperature=0' }],
    ['native_settings', { ...good, native_settings: [1] }],
    ['mode', { ...good, mode: 'later' }],
    ['webhook_url', { ...good, webhook_url: 'https://example.com/hook' }],
    ['page_count', { ...good, page_count: 0 }],
    ['page_count', { ...good, page_count: -1 }],
    ['page_count', { ...good, page_count: 1.5 }],
    ['page_count', { ...good, page_count: 'many' }],
    ['page_count', { ...good, page_count: 21 }],
    ['page_count', { ...good, page_count: 1e300 }],
    ['output_format', { ...good, output_format: 'xml' }],
    ['fallback', { ...good, fallback: 'always' }],
    ['scanned_handling', { ...good, scanned_handling: 'perhaps' }],
    ['fallback_engine', { ...good, scanned_handling: 'fallback' }],
    ['fallback_engine', { ...good, fallback_engine: { id: 'reader' } }],
  ])('%s: case %#', async (field, body) => {
    const name = field.split('.').at(-1) ?? field;
    expectError(await caller.ocr<ErrorAnswer>(body), 400, 'invalid_request', new RegExp(name));
  });
});

describe('a body that is no JSON object', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"engine": "reader", "input": {'],
    ['two objects', '{}{}'],
    ['not JSON', 'engine=reader'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['an array', '[]'],
    ['a string', '"reader"'],
    ['null', 'null'],
    ['a number', '1e3'],
  ])('%s', async (_name, body) => {
    expectError(await caller.ocr<ErrorAnswer>(body), 400, 'invalid_request');
  });
});

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
  'content type %s',
  async (type) => {
    const reply = await caller.ocr<ErrorAnswer>(good, { headers: { 'content-type': type } });
    expectError(reply, 400, 'invalid_request', /content.type|json/i);
  },
);

it('no Idempotency-Key', async () => {
  expectError(await caller.ocr(good, { key: null }), 400, 'invalid_request', /Idempotency-Key/i);
});

it('an engine that is not in the catalogue, with close matches', async () => {
  const reply = await caller.ocr<ErrorAnswer>({ ...good, engine: 'raeder' });
  expectError(reply, 400, 'unknown_engine', /raeder/);
  expect(reply.body.error.suggestions ?? reply.body.suggestions).toContain('reader');
});

it('a fallback engine that is not in the catalogue', async () => {
  const reply = await caller.ocr({ ...good, fallback_engine: 'nobody-knows-it' });
  expect(reply.status).toBe(400);
  expect(reply.body.error?.message).toContain('nobody-knows-it');
});

it('an engine whose configuration is not complete yet', async () => {
  expectError(await caller.ocr({ ...good, engine: 'unfinished' }), 400, 'invalid_request', /unfinished/);
});

it('page_range for an engine that reads whole PDFs and does not support it', async () => {
  const body = ocrBody('whole', await picture(), { settings: { page_range: '1' } });
  expectError(await caller.ocr(body), 400, 'invalid_request', /page_range/);
});

it('async while history is off', async () => {
  const { caller: forgetful } = await house.account({ history: false });
  expectError(await forgetful.ocr({ ...good, mode: 'async' }), 400, 'history_disabled');
});

it('does not bind its idempotency key', async () => {
  const { caller: another } = await house.account({ credit: 1 });
  expectError(await another.ocr({ ...good, mode: 'later' }, { key: 'one' }), 400, 'invalid_request');
  house.engines.reset();
  const { status } = await another.ocr(await pictureBody(), { key: 'one' });
  house.engines.reset();
  expect(status).toBe(200);
});
