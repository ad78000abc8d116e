import { beforeEach, expect, it } from 'vitest';
import type { ErrorAnswer } from '../../house/answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { pdfOfPages } from '../../house/page-sizes.ts';
import { makePdf } from '../../house/pdf.ts';
import { picture, pictureAs } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

const JSON_TYPE = { 'content-type': 'application/json' };

async function refused(body: unknown, scopes?: ('ocr:write' | 'ocr:read' | 'usage:read')[]) {
  const { caller } = await house.account(scopes ? { scopes } : {});
  return caller.call<ErrorAnswer>('POST', '/v1/ocr/estimate', { body: JSON.stringify(body), headers: JSON_TYPE });
}

it('400: what sending would refuse', async () => {
  const page = await picture();
  expectError(await refused(ocrBody('raeder', page)), 400, 'unknown_engine', /reader/);
  expectError(await refused(ocrBody('reader', page, { page_count: 21 })), 400, 'invalid_request', /page_count/);
  expectError(await refused(ocrBody('reader', page, { page_count: 0 })), 400, 'invalid_request', /page_count/);
  expectError(await refused({ engine: 'reader' }), 400, 'invalid_request', /input/);
  const loopback = { engine: 'reader', input: { type: 'url', url: 'http://127.0.0.1/a.png' } };
  expectError(await refused(loopback), 400, 'invalid_request', /public/);
});

it.each<[string, OcrFields & { input?: object }]>([
  ['input.mime_type', { input: { mime_type: 'a\u0000' } }],
  ['settings.language', { settings: { language: '\ud800' } }],
  ['options.language_hints', { options: { language_hints: ['eng', '\udc00'] } }],
  ['native_settings', { native_settings: { a: '\u0000' } }],
  ['native_settings', { native_settings: { a: [{ '\ud800': 1 }] } }],
])('400: characters that nothing can keep, in %s, as sending would', async (field, { input, ...fields }) => {
  const body = ocrBody('reader', await picture(), fields);
  Object.assign(body.input, input);
  const message = `${field}: contains a NUL or an incomplete character.`;
  const { caller } = await house.account();
  const sent = [await refused(body), await caller.ocr<ErrorAnswer>(body)];
  const expected = { error: { code: 'invalid_request', message } };
  expect(sent.map(({ status, body: answer }) => ({ status, answer }))).toEqual(
    Array(2).fill({ status: 400, answer: expected }),
  );
});

it('takes the text that stands for such a character as text', async () => {
  const body = ocrBody('reader', await picture(), { settings: { language: '\\u0000' } });
  expect((await refused(body)).status).toBe(200);
  const { caller } = await house.account();
  expect((await caller.ocr(body)).status).toBe(200);
});

it('401 without a key', async () => {
  const body = JSON.stringify(ocrBody('reader', await picture()));
  const reply = await house.stranger.call('POST', '/v1/ocr/estimate', { body, headers: JSON_TYPE });
  expectError(reply, 401, 'authentication_error');
});

it('403: a key without usage:read', async () => {
  expectError(await refused(ocrBody('reader', await picture()), ['ocr:write', 'ocr:read']), 403, 'insufficient_scope');
});

it('422: a document that nobody can read, and pages that it does not have', async () => {
  expectError(await refused(ocrBody('reader', Buffer.from('no picture'))), 422, 'unprocessable_entity');
  const outside = ocrBody('reader', pdfOfPages(2), { settings: { page_range: '3' } });
  expectError(await refused(outside), 422, 'unprocessable_entity', /only 2 page/);
});

it('422: scanned pages that the caller wants to be an error, of those that would be read', async () => {
  const jpeg = await pictureAs('jpeg', { width: 400, height: 600 });
  const scan = { picture: { jpeg, width: 400, height: 600 } };
  const mixed = makePdf([{ text: 'This page carries its own text.\nNothing has to be recognised here.' }, scan]);
  const sent = (fields: object) => ocrBody('pdf-text', mixed, { scanned_handling: 'error', ...fields });
  expectError(await refused(sent({ page_count: 2 })), 422, 'unprocessable_entity', /text layer: 2\. /);
  expect((await refused(sent({ page_count: 1 }))).status).toBe(200);
  expect((await refused(ocrBody('reader', mixed, { scanned_handling: 'error', page_count: 2 }))).status).toBe(200);
});

it('429: it counts as a call', async () => {
  const { caller } = await house.account({ tier: 'free' });
  const body = JSON.stringify(ocrBody('reader', await picture()));
  const call = () => caller.call('POST', '/v1/ocr/estimate', { body, headers: JSON_TYPE });
  const before = Number((await call()).headers['x-ratelimit-remaining']);
  expect(Number((await call()).headers['x-ratelimit-remaining'])).toBe(before - 1);
});

it('503 when too many documents are being opened: the others are answered', async () => {
  const { caller } = await house.account();
  const body = JSON.stringify(ocrBody('reader', pdfOfPages(60)));
  const call = () => caller.call('POST', '/v1/ocr/estimate', { body, headers: JSON_TYPE });
  const replies = await Promise.all(Array.from({ length: 40 }, call));
  const statuses = new Set(replies.map(({ status }) => status));
  expect(statuses).toContain(200);
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expectError(reply, 503, 'engine_unavailable');
    expect(reply.headers).toHaveProperty('retry-after');
  }
});
