import { afterAll, describe, expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';

const house = await openHouse({ env: { MAX_DOCUMENT_MB: '1' } });
afterAll(() => house[Symbol.asyncDispose]());
const { caller } = await house.account();

const DOCUMENT = makePdf([{ text: 'Here' }]);
const sent = await caller.ocr(ocrBody('pdf-text', DOCUMENT, { include: ['words'] }));
const path = `/v1/ocr/${sent.body.request_id}/output?format=pdf`;

function post(body: Buffer, { at = path, by = caller, ...headers }: Record<string, unknown> = {}) {
  const sender = by as typeof caller; // a caller where one is given
  return sender.call('POST', String(at), { body, headers: { 'content-type': 'application/pdf', ...headers } });
}

it('answers with the document where nothing is wrong', async () => {
  expect((await post(DOCUMENT)).status).toBe(200);
});

describe('400', () => {
  it.each([
    ['another document', makePdf([{ text: 'There' }])],
    ['the document and a byte more', Buffer.concat([DOCUMENT, Buffer.from('\n')])],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_, body) => expectError(await post(body), 400, 'invalid_request', /document/));

  it.each(['hocr', 'text', 'markdown'])('another document, whatever is made: %s', async (format) => {
    const at = `/v1/ocr/${sent.body.request_id}/output?format=${format}`;
    expectError(await post(makePdf([{ text: 'There' }]), { at }), 400, 'invalid_request', /not the one of the request/);
    const [posted, got] = [await post(DOCUMENT, { at }), await caller.get(at)];
    expect([posted.status, posted.text]).toEqual([200, got.text]);
  });

  it('the document as a request has it, which is told what to send', async () => {
    const json = Buffer.from(JSON.stringify({ input: { type: 'base64', data_base64: DOCUMENT.toString('base64') } }));
    expectError(
      await post(json, { 'content-type': 'application/json' }),
      400,
      'invalid_request',
      /raw bytes, not JSON/,
    );
  });

  it('a compressed body', async () => {
    expectError(await post(DOCUMENT, { 'content-encoding': 'gzip' }), 400, 'invalid_request', /Encoding/);
  });

  it.each(['format=exe', 'format=pdf&text_layer=some', ''])('a query that breaks a rule: %s', async (query) => {
    const at = `/v1/ocr/${sent.body.request_id}/output?${query}`;
    expectError(await post(DOCUMENT, { at }), 400, 'invalid_request');
  });
});

it('401 without a key', async () => {
  expectError(await post(DOCUMENT, { by: house.stranger }), 401, 'authentication_error');
});

it('403 with a key that may only send', async () => {
  const { caller: sender } = await house.account({ scopes: ['ocr:write'] });
  expectError(await post(DOCUMENT, { by: sender }), 403, 'insufficient_scope');
});

it('404 for a request of another account', async () => {
  const { caller: other } = await house.account();
  expectError(await post(DOCUMENT, { by: other }), 404, 'not_found');
});

it('409 for a request that asked for no positions', async () => {
  const { body } = await caller.ocr(ocrBody('pdf-text', DOCUMENT));
  expectError(await post(DOCUMENT, { at: `/v1/ocr/${body.request_id}/output?format=pdf` }), 409, 'positions_missing');
});

it('410 for a result that was not retained', async () => {
  const { caller: other } = await house.account({ history: false });
  const { body } = await other.ocr(ocrBody('pdf-text', DOCUMENT, { include: ['words'] }));
  const reply = await post(DOCUMENT, { by: other, at: `/v1/ocr/${body.request_id}/output?format=pdf` });
  expectError(reply, 410, 'result_not_retained');
});

it('413 for a body beyond the limit of documents', async () => {
  expectError(await post(Buffer.alloc(1024 * 1024 + 1)), 413, 'payload_too_large');
});
