import { expect, it } from 'vitest';
import { Browser } from '../../house/browser.ts';
import type { CallOptions } from '../../house/caller.ts';
import { expectError } from '../../house/expect-error.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const PATH = '/api/page-picture';
const TWO_PAGES = makePdf([
  { size: [400, 200], text: 'first' },
  { size: [200, 400], text: 'second' },
]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

async function browser(): Promise<Browser> {
  const { accountId } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  return new Browser(house.product).take(cookie);
}

function post(by: Browser, query: string, body: Buffer, headers: CallOptions['headers'] = { origin: by.origin }) {
  return by.call('POST', `${PATH}${query}`, { headers: { 'content-type': 'application/pdf', ...headers }, body });
}

/** Width and height of a PNG. */
function sizeOf(png: Buffer): readonly [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

it('draws the page that was asked for, in its own shape', async () => {
  const by = await browser();
  const sizes = [];
  for (const page of [1, 2]) {
    const response = await fetch(`${house.product.dashboardUrl}${PATH}?page=${page}`, {
      method: 'POST',
      headers: { cookie: by.cookie, origin: by.origin },
      body: new Uint8Array(TWO_PAGES),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 4)).toEqual(PNG);
    sizes.push(sizeOf(bytes));
  }
  expect(sizes).toEqual([
    [556, 278],
    [278, 556],
  ]);
});

it('is for the pages of somebody who is logged in, and for nobody else', async () => {
  expectError(await post(new Browser(house.product), '', TWO_PAGES), 401, 'authentication_error');
  const by = await browser();
  expectError(await post(by, '', TWO_PAGES, { origin: 'https://elsewhere.example' }), 403, 'insufficient_scope');
  const get = await by.get(PATH);
  expectError(get, 405, 'invalid_request');
  expect(get.headers['allow']).toBe('POST');
});

it('says what is wrong with a page, a document or its size', async () => {
  const by = await browser();
  for (const query of ['?page=0', '?page=two', '?page=3']) {
    expectError(await post(by, query, TWO_PAGES), 400, 'invalid_request');
  }
  expectError(await post(by, '', Buffer.from('no document')), 422, 'unprocessable_entity');
  expectError(await post(by, '', Buffer.alloc(11_000_000, ' ')), 413, 'payload_too_large');
});

it('draws for a request its own document alone, and none for a request of somebody else', async () => {
  const { accountId, caller } = await house.account();
  const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));
  const by = new Browser(house.product).take(cookie);
  const { body } = await caller.ocr(ocrBody('pdf-text', TWO_PAGES));
  const query = `?page=2&request=${body.request_id}`;
  expect((await post(by, query, TWO_PAGES)).status).toBe(200);
  expectError(
    await post(by, query, makePdf([{ text: 'a' }, { text: 'b' }])),
    400,
    'invalid_request',
    /its bytes differ/,
  );
  expectError(await post(await browser(), query, TWO_PAGES), 404, 'not_found');
});
