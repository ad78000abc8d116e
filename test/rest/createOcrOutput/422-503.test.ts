import { afterAll, expect, it } from 'vitest';
import { DocumentWeb } from '../../house/document-web.ts';
import { expectError } from '../../house/expect-error.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { urlBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { runSql } from '../../house/sql.ts';

const web = await DocumentWeb.start();
const house = await openHouse({ env: LOOPBACK_ALLOWED });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
const { caller } = await house.account();

/** More than sockets hold of an answer that nobody takes. */
const COMMENT = `% ${'what nobody draws '.repeat(30)}\n`;
const LARGE = makePdf([{ text: 'Here', content: COMMENT.repeat(45_000) }]);

async function pathOf(document: Buffer, path: string): Promise<string> {
  const url = web.put(path, { bytes: document, type: 'application/pdf' });
  const { status, text, body } = await caller.ocr(urlBody('pdf-text', url, { include: ['words'] }));
  expect(body.http_status ?? status, text).toBe(200);
  return `/v1/ocr/${body.request_id}/output?format=pdf`;
}

const headers = { 'content-type': 'application/octet-stream' };

it('400 for another document than the one that the URL answered with', async () => {
  const own = makePdf([{ text: 'Here' }]);
  const path = await pathOf(own, '/small.pdf');
  for (const another of [makePdf([{ text: 'Elsewhere' }]), Buffer.from('no document at all')]) {
    expectError(await caller.call('POST', path, { body: another, headers }), 400, 'invalid_request', /bytes differ/);
  }
  expect((await caller.call('POST', path, { body: own, headers })).status).toBe(200);
});

/** As earlier versions left it, which did not keep what a URL answered with. */
async function forgetBytes(path: string): Promise<void> {
  const [, id = ''] = /(ocr_\w+)/.exec(path) ?? [];
  expect(await runSql(house.databaseUrl, `update ocr_request set document_hash = null where id = '${id}'`)).toBe(1);
}

it('422 for a document that cannot be opened, of a request that came by a URL to an earlier version', async () => {
  const path = await pathOf(makePdf([{ text: 'Here' }]), '/earlier.pdf');
  await forgetBytes(path);
  const reply = await caller.call('POST', path, { body: Buffer.from('no document at all'), headers });
  expectError(reply, 422, 'unprocessable_entity');
  const another = makePdf([{ text: 'Here' }, { text: 'There' }]);
  expectError(await caller.call('POST', path, { body: another, headers }), 400, 'invalid_request', /2 pages/);
});

it('503 where two of an account are on their way already and the third has waited for ten seconds', async () => {
  const path = await pathOf(LARGE, '/large.pdf');
  const open = () => caller.open('POST', path, { body: LARGE, headers });
  const [first, second] = [await open(), await open()];
  expect([first.status, second.status]).toEqual([200, 200]);
  const begunAt = performance.now();
  const third = await caller.call('POST', path, { body: LARGE, headers });
  expectError(third, 503, 'engine_unavailable', /Try again/);
  expect(performance.now() - begunAt).toBeGreaterThan(9500);
  expect(third.headers['retry-after']).toBe('10');
  // Those who have theirs make room.
  expect((await first.finish()).text.length).toBeGreaterThan(LARGE.length / 2);
  second.stream.destroy();
  expect((await caller.call('POST', path, { body: LARGE, headers })).status).toBe(200);
}, 120_000);
