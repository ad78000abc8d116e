import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { unreadableDocuments } from '../../house/broken-documents.ts';
import { DocumentWeb } from '../../house/document-web.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody, urlBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { picture } from '../../house/pictures.ts';

const house = await openHouse({ env: { ...LOOPBACK_ALLOWED, MAX_DOCUMENT_MB: '1' } });
const web = await DocumentWeb.start();
const { accountId, caller } = await house.account({ credit: 1 });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

const documents = await unreadableDocuments();
const halfPicture = (await picture()).subarray(0, 90);

describe('a document that nobody can read', () => {
  it.each(Object.keys(documents))('%s', async (name) => {
    const reply = await caller.ocr(ocrBody('reader', documents[name] ?? Buffer.alloc(0)));
    expectError(reply, 422, 'unprocessable_entity');
    expect(house.engines.calls('reader')).toEqual([]);
    await expectBalance(house, accountId, 1);
  });

  it('is told apart by a plain reason: the password', async () => {
    const reply = await caller.ocr(ocrBody('reader', documents['a PDF behind a password'] ?? Buffer.alloc(0)));
    expect(reply.body.error?.message).toMatch(/password/i);
  });

  it('is not made readable by a hint', async () => {
    const body = ocrBody('reader', Buffer.from('a note'));
    const reply = await caller.ocr({ ...body, input: { ...body.input, mime_type: 'image/png' } });
    expectError(reply, 422, 'unprocessable_entity');
  });
});

describe('an address', () => {
  it.each<[string, Parameters<DocumentWeb['put']>[1]]>([
    ['that answers 404', { bytes: 'gone', status: 404 }],
    ['that answers 500', { bytes: 'broken', status: 500 }],
    ['that answers 204', { bytes: '', status: 204 }],
    ['that asks for a login', { bytes: 'who are you?', status: 401 }],
    ['that answers with a web page', { bytes: '<!doctype html><p>Log in</p>', type: 'text/html' }],
    ['that answers with nothing', { bytes: '' }],
    ['that breaks the connection', { broken: true }],
    ['that sends without end', { endless: true }],
    ['of more than MAX_DOCUMENT_MB', { bytes: Buffer.alloc(1024 * 1024 + 1) }],
    ['of a broken picture', { bytes: halfPicture }],
  ])('%s', async (_name, page) => {
    const reply = await caller.ocr(urlBody('reader', web.put('/document.png', page)));
    expectError(reply, 422, 'unprocessable_entity');
    expect(house.engines.calls('reader')).toEqual([]);
    await expectBalance(house, accountId, 1);
  });

  it('nobody listens at', async () => {
    const gone = await DocumentWeb.start();
    const url = gone.put('/a.png', { bytes: '' });
    await gone[Symbol.asyncDispose]();
    expectError(await caller.ocr(urlBody('reader', url)), 422, 'unprocessable_entity');
  });

  it('does not give away what it said', async () => {
    const url = web.put('/internal.png', { bytes: 'the-inner-secret', status: 500 });
    expect((await caller.ocr(urlBody('reader', url))).text).not.toContain('the-inner-secret');
  });

  it('that redirects without end', async () => {
    const url = web.put('/round.png', { location: '/round.png' });
    const reply = await caller.ocr(urlBody('reader', url));
    expect([400, 422]).toContain(reply.status);
    expect(web.hits.filter((path) => path === '/round.png').length).toBeLessThanOrEqual(4);
  });
});

it('an extensionless address of a PDF, on an engine without native PDF: advice to send base64 or a URL ending in .pdf', async () => {
  const url = web.put('/download', { bytes: makePdf([{ text: 'A page' }]), type: 'application/pdf' });
  const reply = await caller.ocr(urlBody('reader', url));
  expectError(reply, 422, 'unprocessable_entity', /base64/i);
  expect(reply.body.error?.message).toContain('.pdf');
});

it('does not bind its key', async () => {
  expectError(await caller.ocr(ocrBody('reader', Buffer.from('a note')), { key: 'note' }), 422, 'unprocessable_entity');
  const { caller: another } = await house.account();
  expectError(
    await another.ocr(ocrBody('reader', Buffer.from('a note')), { key: 'note' }),
    422,
    'unprocessable_entity',
  );
  expect((await another.ocr(await pictureBody(), { key: 'note' })).status).toBe(200);
});
